//! Oclgrind's counters from source alone, for launches of any size that take too long to simulate.

use std::{env, time::Duration};

use anyhow::{Result, anyhow, bail};
use kerncast_analysis::{
    llvm,
    oclgrind_counters::{self, OclgrindCounts},
    run::lower,
    sampling::{Budget, CountedLaunch},
};
use kerncast_opencl::OpenClError;
use kerncast_suite::Launch;

use crate::{
    child::{ChildJob, Children},
    clang::{Clang, ClangError, LlvmTarget},
    programs::oclgrind_library,
    workload::Workload,
};

/// Time limit for compiling one source; most take a tenth of a second.
const COMPILE_LIMIT: Duration = Duration::from_secs(30);

/// Counts from source what Oclgrind would count of a workload's launch.
///
/// # Errors
/// There is no compiler, and what to install; or the source does not tell the counts, and why.
pub fn oclgrind_counts(children: &Children, workload: &Workload<'_>) -> Result<OclgrindCounts> {
    let launch = workload.launch()?;
    let step = launch
        .only_step()
        .ok_or_else(|| anyhow!("{} launches: only one is counted", launch.steps.len()))?;
    let text = compile(children, workload, &launch)?;
    let program = lower(&llvm::read(&text)?, &step.function)?;
    let inputs = launch.inputs_on_demand(&workload.kernel.name, &workload.parameters);
    Ok(oclgrind_counters::count(&CountedLaunch {
        program: &program,
        step,
        bytes: &launch.bytes(),
        input: &inputs,
        budget: Budget::default(),
    })?)
}

/// LLVM's text of a workload's source: from Oclgrind's compiler, whose code Oclgrind counts, or from clang if there is
/// no Oclgrind or it can't compile it.
fn compile(children: &Children, workload: &Workload<'_>, launch: &Launch) -> Result<String> {
    let clang = match Clang::find() {
        Ok(clang) => Some(clang),
        Err(ClangError::Missing(_)) if env::var_os("KERNCAST_CLANG").is_none() => None,
        Err(other) => bail!("{other}"),
    };
    let by_oclgrind = match oclgrind_library() {
        Ok(library) => {
            let environment = [
                ("OPENCL_DYLIB_PATH", library.into()),
                ("OCLGRIND_DUMP_SPIR", "1".into()),
            ];
            let workload = workload.key();
            let answer = children.ask(
                ChildJob::OclgrindLlvm { workload },
                &environment,
                COMPILE_LIMIT,
            );
            answer.map(|it| it.value).map_err(Into::into)
        }
        Err(reason) => Err(anyhow!("{reason}; and there is no clang on PATH")),
    };
    match clang {
        Some(clang) if by_oclgrind.is_err() => {
            let text = clang.llvm(launch, &workload.kernel.folder, LlvmTarget::Oclgrind);
            text.map_err(|error| match error {
                ClangError::Refused(log) => anyhow!("{}", OpenClError::Build(log)),
                other => anyhow!("{other}"),
            })
        }
        _ => by_oclgrind,
    }
}
