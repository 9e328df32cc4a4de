//! Oclgrind's counters from source alone, for launches of any size that take too long to simulate.

use std::{env, ffi::OsString, time::Duration};

use anyhow::{Result, anyhow, bail};
use kerncast_analysis::{
    counts::{Budget, Counts, counts},
    llvm,
    run::lower,
};

use crate::{
    child::{Children, Compiler, Job},
    clang::{Clang, ClangError},
    programs::oclgrind_library,
    workload::{Target, Workload},
};

/// Time limit for compiling one source; most take a tenth of a second.
const COMPILE_LIMIT: Duration = Duration::from_secs(30);

/// Counts from source what Oclgrind would count of a workload's launch.
///
/// # Errors
/// There is no compiler, and what to install; or the source does not tell the counts, and why.
pub fn oclgrind_counts(children: &Children, workload: &Workload<'_>) -> Result<Counts> {
    let launch = workload.launch()?;
    let step = launch
        .only_step()
        .ok_or_else(|| anyhow!("{} launches: only one is counted", launch.steps.len()))?;
    let text = compile(children, &workload.target())?;
    let program = lower(&llvm::read(&text)?, &step.function)?;
    let inputs = launch.inputs_on_demand(&workload.kernel.name, &workload.parameters);
    let budget = Budget::default();
    Ok(counts(&program, step, &launch.bytes(), &inputs, budget)?)
}

/// Compiles a workload to LLVM's text in a child: by Oclgrind's compiler, whose code Oclgrind counts, or by clang if
/// there is no Oclgrind or it can't.
fn compile(children: &Children, target: &Target) -> Result<String> {
    let mut compilers: Vec<(Compiler, Vec<(&'static str, OsString)>)> = Vec::new();
    let oclgrind = oclgrind_library();
    if let Ok(library) = &oclgrind {
        let environment = vec![
            ("OPENCL_DYLIB_PATH", library.into()),
            ("OCLGRIND_DUMP_SPIR", "1".into()),
        ];
        compilers.push((Compiler::Oclgrind, environment));
    }
    match Clang::find() {
        Ok(clang) => compilers.push((Compiler::Clang(clang.program().to_owned()), Vec::new())),
        Err(ClangError::Missing(_)) if env::var_os("KERNCAST_CLANG").is_none() => {}
        Err(other) => bail!("{other}"),
    }
    let mut failure = None;
    for (compiler, environment) in compilers {
        let target = target.clone();
        let job = Job::Llvm { compiler, target };
        match children.ask(job, &environment, COMPILE_LIMIT) {
            Ok(answer) => return Ok(answer.value),
            Err(why) => failure = Some(why.into()),
        }
    }
    let missing = oclgrind.err().unwrap_or_default();
    Err(failure.unwrap_or_else(|| anyhow!("{missing}; and there is no clang on PATH")))
}
