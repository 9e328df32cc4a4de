//! LLVM's text of a kernel for the analysis. It comes from Oclgrind's compiler, whose code Oclgrind counts, or from
//! clang if there is no Oclgrind.

use std::{env, time::Duration};

use crate::{
    Compiler,
    child::{Children, Failure, Job},
    clang::{Clang, ClangError},
    programs::oclgrind_library,
    workload::WorkloadKey,
};

/// Time limit for one source; most take a tenth of a second.
const LIMIT: Duration = Duration::from_secs(30);

/// LLVM's text of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Llvm {
    /// The text, for [`kerncast_analysis::llvm::read`].
    pub text: String,
    /// The compiler that made it.
    pub compiler: Compiler,
}

/// The available compilers, the preferred one first.
///
/// # Errors
/// There is no compiler; the message says what to install.
pub fn compilers() -> Result<Vec<Compiler>, String> {
    let mut all = Vec::new();
    let oclgrind = oclgrind_library();
    if oclgrind.is_ok() {
        all.push(Compiler::Oclgrind);
    }
    if let Some(clang) = clang()? {
        all.push(clang);
    }
    match (all.is_empty(), oclgrind) {
        (true, Err(reason)) => Err(format!("{reason}; and there is no clang on PATH")),
        _ => Ok(all),
    }
}

fn clang() -> Result<Option<Compiler>, String> {
    match Clang::find() {
        Ok(clang) => Ok(Some(Compiler::Clang(clang.program().to_owned()))),
        Err(ClangError::Missing(_)) if env::var_os("KERNCAST_CLANG").is_none() => Ok(None),
        Err(other) => Err(other.to_string()),
    }
}

/// Compiles a workload in a child, by the first of `compilers` that can.
///
/// # Errors
/// No compiler can; the error is the last one's.
pub fn compile(
    children: &Children,
    compilers: &[Compiler],
    workload: &WorkloadKey,
) -> Result<Llvm, Failure> {
    let mut failure = Failure::Refused("there is no compiler".to_owned());
    for compiler in compilers {
        let environment = match compiler {
            Compiler::Oclgrind => match oclgrind_library() {
                Ok(library) => vec![
                    ("OPENCL_DYLIB_PATH", library.into_os_string()),
                    ("OCLGRIND_DUMP_SPIR", "1".into()),
                ],
                Err(reason) => {
                    failure = Failure::Refused(reason);
                    continue;
                }
            },
            Compiler::Clang(_) => Vec::new(),
        };
        let job = Job::Llvm {
            compiler: compiler.clone(),
            workload: workload.clone(),
        };
        match children.ask(job, &environment, LIMIT) {
            Ok(answer) => {
                return Ok(Llvm {
                    text: answer.value,
                    compiler: compiler.clone(),
                });
            }
            Err(other) => failure = other,
        }
    }
    Err(failure)
}
