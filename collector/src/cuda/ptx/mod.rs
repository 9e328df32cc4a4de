//! The PTX of NVIDIA's OpenCL compiler, patched so that the CUDA driver takes it.
//!
//! Both drivers hand PTX to the same assembler. What the assembler would do otherwise for OpenCL is
//! written into the text, so that it makes the same of it: tests/captured/ptx/README.md says how that
//! was checked.

mod constant;
mod entry;
mod environment;
mod local;

use thiserror::Error;

use entry::Entry;
pub use entry::Parameter;
pub use environment::Register;
use local::Shift;

/// PTX for `cuModuleLoadData`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patched {
    /// The whole program, without a NUL.
    pub text: String,
    /// Parameters of the function, in order.
    pub parameters: Vec<Parameter>,
    /// Registers that it takes as further parameters of 32 bits each.
    pub environment: Vec<Register>,
}

impl Patched {
    /// A program of our own with one parameter, for the device that this program was made for.
    pub(super) fn beside(&self, program: &str, parameter: Parameter) -> Self {
        let is_head = |line: &&str| {
            [".version", ".target", ".address_size"]
                .iter()
                .any(|d| line.starts_with(d))
        };
        let head: Vec<&str> = self.text.lines().filter(is_head).collect();
        Self {
            text: format!("{}\n{program}", head.join("\n")),
            parameters: vec![parameter],
            environment: Vec::new(),
        }
    }
}

/// Why a program can't be replayed through CUDA.
#[expect(missing_docs, reason = "their messages say it")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unpatchable {
    #[error("the driver's program binary is no PTX text; expected NVIDIA's OpenCL driver")]
    NotPtx,
    #[error("the PTX has no entry `{0}`")]
    NoEntry(String),
    /// A parameter of a kind that OpenCL C can't make, as far as we know.
    #[error("the PTX has a parameter that is not understood: `{0}`")]
    Parameter(String),
    /// An OpenCL driver's register whose meaning is not known.
    #[error("the PTX reads %envreg{0}, whose meaning is not known; known are 0 to 9")]
    Environment(String),
    #[error("the program uses images or samplers (`{0}`), which a replay does not have")]
    Image(String),
}

/// Patches a program (`CL_PROGRAM_BINARIES`) for launches of `function` over `dimensions`
/// dimensions without a global offset.
///
/// # Errors
/// The program can't be replayed; see [`Unpatchable`].
pub fn patch(binary: &[u8], function: &str, dimensions: usize) -> Result<Patched, Unpatchable> {
    let text = std::str::from_utf8(binary).map_err(|_| Unpatchable::NotPtx)?;
    let text = text.trim_end_matches('\0');
    let lines: Vec<&str> = text.lines().collect();
    // CUDA would read no further than a NUL.
    if text.contains('\0') || !lines.iter().any(|line| line.starts_with(".version")) {
        return Err(Unpatchable::NotPtx);
    }
    refuse_images(text)?;
    let entry = Entry::find(&lines, function)?;
    let has_global_constants = constant::is_global(&lines);
    let environment = environment::read_in(&lines[entry.body.clone()])?;
    let shift = Shift::find(&lines[entry.body.clone()]);
    let mut patched = Vec::with_capacity(lines.len() + environment.len());
    for (number, line) in lines.into_iter().enumerate() {
        if number == entry.body.start {
            environment::append_parameters(&mut patched, &environment);
        }
        patched.push(match line.trim_start() {
            comment if comment.starts_with("//") => line.to_owned(),
            target if target.starts_with(".target") => line.replace(", texmode_independent", ""),
            parameter if parameter.starts_with(".param") => entry::without_pointer(line),
            _ => {
                let code = if entry.body.contains(&number) {
                    shift.apply(environment::from_parameter(line, dimensions)?)
                } else {
                    environment::replaced(line, dimensions)?
                };
                if has_global_constants {
                    constant::to_global(&code)
                } else {
                    code
                }
            }
        });
    }
    patched.push(String::new());
    Ok(Patched {
        text: patched.join("\n"),
        parameters: entry.parameters,
        environment,
    })
}

fn refuse_images(text: &str) -> Result<(), Unpatchable> {
    let handles = [".texref", ".surfref", ".samplerref"];
    match handles.into_iter().find(|handle| text.contains(handle)) {
        Some(handle) => Err(Unpatchable::Image(handle.to_owned())),
        None => Ok(()),
    }
}

/// Whether `name` ends where `rest` begins, and is not the beginning of a longer name.
fn ends_here(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}
