//! Oclgrind's counters from source alone, for launches of any size that take too long to simulate.

use std::{collections::BTreeMap, path::PathBuf};

use anyhow::{Result, anyhow};
use kerncast_analysis::{
    llvm,
    oclgrind_counters::{self, OclgrindCounts},
    run::{Program, lower},
    sampling::{Budget, CountedLaunch},
};

use crate::{
    Compiler,
    child::Children,
    source_analysis::llvm::{compile, compilers},
    workload::Workload,
};

/// Counts from source what Oclgrind would count.
pub struct SourceCounter<'a> {
    children: &'a Children,
    compilers: Vec<Compiler>,
    /// Programs by folder, variant and build options, which contain sizes only for some kernels.
    programs: BTreeMap<(PathBuf, String, String), Program>,
}

impl<'a> SourceCounter<'a> {
    /// # Errors
    /// There is no compiler; the message says what to install.
    pub fn find(children: &'a Children) -> Result<Self, String> {
        Ok(Self {
            children,
            compilers: compilers()?,
            programs: BTreeMap::new(),
        })
    }

    /// The counts of a workload's launch.
    ///
    /// # Errors
    /// The source does not tell the counts; why.
    pub fn counts(&mut self, workload: &Workload<'_>) -> Result<OclgrindCounts> {
        let launch = workload.launch()?;
        let step = launch
            .only_step()
            .ok_or_else(|| anyhow!("{} launches: only one is counted", launch.steps.len()))?;
        let key = (
            workload.kernel.folder.clone(),
            workload.variant.name.clone(),
            launch.options.clone(),
        );
        if !self.programs.contains_key(&key) {
            let text = compile(self.children, &self.compilers, &workload.target())?.text;
            let program = lower(&llvm::read(&text)?, &step.function)?;
            self.programs.insert(key.clone(), program);
        }
        let inputs = launch.inputs_on_demand(&workload.kernel.name, &workload.parameters);
        Ok(oclgrind_counters::count(&CountedLaunch {
            program: &self.programs[&key],
            step,
            bytes: &launch.bytes(),
            input: &inputs,
            budget: Budget::default(),
        })?)
    }
}
