//! LLVM's text of sources, as Oclgrind, a GPU or a CPU would execute it.

use std::{fs, path::Path, process::Command};

use kerncast_analysis::llvm::annotate_for_devices;
use kerncast_suite::Launch;

use super::{Clang, ClangError, flags, io_error};
use crate::programs::Scratch;

/// Built-in functions that a device's compiler replaces by code.
const BUILTINS: &str = include_str!("builtins.h");

/// Flags that Oclgrind's compiler gets, as far as they change what is counted.
const OCLGRIND_FLAGS: &str = "-target spir64-unknown-unknown -g -Oz -fno-builtin -fno-vectorize -fno-slp-vectorize -S \
     -emit-llvm -o -";
/// Flags for a GPU's unoptimised text. Address spaces have SPIR's numbers.
const GPU_FLAGS: &str = "-target nvptx64-nvidia-nvcl -Xclang -ffake-address-space-map -O3 -Xclang -disable-llvm-passes \
     -gline-tables-only -w -S -emit-llvm -o -";
/// How far loops are unrolled, like NVIDIA's compiler does (by ncu counts of the suite between 600 and 900 fit best),
/// and further where that puts private arrays into registers.
const UNROLL: &str = "-unroll-threshold=800";
const UNROLL_FURTHER: &str = "-unroll-threshold=3000";
/// Unrolling looks ahead at most 64 iterations and never beyond the threshold.
const UNROLL_LOOKAHEAD: &str = "-mllvm -unroll-max-iteration-count-to-analyze=64 -mllvm \
     -unroll-max-percent-threshold-boost=100";
/// Flags that optimise a GPU's text: everything is inlined, nothing becomes a vector, stores of several branches stay
/// apart.
const GPU_OPTIMISATION: &str = "-x ir -target nvptx64-nvidia-nvcl -mllvm -inline-threshold=1000000 -mllvm \
     -disable-vector-combine -mllvm -sink-common-insts=false -w -S -emit-llvm -o -";

/// Flags for a CPU's text before its runtime makes vectors of work-items: loops stay as they are written.
const CPU_FLAGS: &str = "-target spir64-unknown-unknown -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops \
     -fno-builtin -gline-tables-only -w -S -emit-llvm -o -";

/// The machine that LLVM's text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LlvmTarget {
    /// What Oclgrind executes.
    Oclgrind,
    /// What a GPU executes.
    Gpu,
    /// What a CPU executes, but for its vectors.
    Cpu,
}

impl Clang {
    /// Compiles the source of a launch to LLVM's text.
    ///
    /// # Errors
    /// See [`Self::read`].
    pub fn llvm(
        &self,
        launch: &Launch,
        folder: &Path,
        target: LlvmTarget,
    ) -> Result<String, ClangError> {
        let compile =
            |arguments: &[&str]| self.run(&launch.source, &launch.options, folder, arguments);
        let with_builtins = |arguments: &[&str]| {
            let scratch =
                Scratch::new().map_err(io_error("cannot make a folder for clang's input"))?;
            let header = scratch.path().join("builtins.h");
            fs::write(&header, BUILTINS).map_err(io_error("cannot keep clang's input"))?;
            let header = header.to_string_lossy();
            compile(&[&["-include", &*header][..], arguments].concat())
        };
        match target {
            LlvmTarget::Oclgrind => compile(&flags(OCLGRIND_FLAGS)),
            LlvmTarget::Cpu => with_builtins(&flags(CPU_FLAGS)),
            LlvmTarget::Gpu => {
                let unoptimised = with_builtins(&flags(GPU_FLAGS))?;
                let unoptimised = annotate_for_devices(&unoptimised);
                let has_arrays = |text: &str| text.contains(" = alloca ");
                let first = self.optimise(&unoptimised, UNROLL, &launch.source)?;
                if !has_arrays(&first) {
                    return Ok(first);
                }
                let further = self.optimise(&unoptimised, UNROLL_FURTHER, &launch.source)?;
                Ok(if has_arrays(&further) { first } else { further })
            }
        }
    }

    /// Optimises LLVM's text of `source` in two passes. The second merges what unrolled iterations have in common, like
    /// the last steps of NVIDIA's compiler.
    fn optimise(&self, text: &str, unrolled: &str, source: &Path) -> Result<String, ClangError> {
        let scratch = Scratch::new().map_err(io_error("cannot make a folder for clang's input"))?;
        let name = Path::new("made.ll");
        let compile = |text: &str, arguments: &[&str]| {
            fs::write(scratch.path().join(name), text)
                .map_err(io_error("cannot keep clang's input"))?;
            let mut command = Command::new(&self.program);
            command
                .current_dir(scratch.path())
                .args(flags(GPU_OPTIMISATION));
            command.arg(name).args(arguments);
            self.output_of(command, name, source)
        };
        let further = [&["-O3", "-mllvm", unrolled], &flags(UNROLL_LOOKAHEAD)[..]].concat();
        let optimised = compile(text, &further)?;
        compile(&optimised, &["-O3", "-fno-unroll-loops"])
    }
}
