//! One launch: a workload with every expression evaluated.

use std::path::PathBuf;

use thiserror::Error;

use super::{
    Access, Argument, ArgumentKind, BadValue, Base, Data, Element, Fill, Formula, Kernel,
    Parameters, ScalarValue, Variant, data::Number,
};

/// What to launch and with what.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The OpenCL function.
    pub function: String,
    /// The source file.
    pub source: PathBuf,
    /// Build options.
    pub options: String,
    /// Arguments in the function's order.
    pub arguments: Vec<LaunchArgument>,
    /// Work-items by dimension.
    pub global: Vec<usize>,
    /// Work-group size by dimension.
    pub local: Vec<usize>,
}

/// One argument of a launch.
#[derive(Clone, Debug)]
pub enum LaunchArgument {
    /// A buffer.
    Buffer {
        /// The argument's name.
        name: String,
        /// Its element type.
        element: Element,
        /// Components: elements times lanes.
        components: usize,
        /// What the kernel does with it.
        access: Access,
        /// What is in it before the launch.
        fill: Option<Fill>,
    },
    /// A scalar: its bytes, in this machine's order.
    Scalar(Vec<u8>),
    /// `__local` memory, in bytes.
    Local(usize),
}

/// The most that a device can do.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Work-items of a work-group.
    pub work_group_items: u64,
    /// Bytes of one buffer.
    pub buffer_bytes: u64,
    /// Bytes of all buffers.
    pub global_bytes: u64,
    /// Bytes of a work-group's local memory.
    pub local_bytes: u64,
}

impl Launch {
    /// Evaluates `variant` of `kernel` for `parameters`.
    ///
    /// # Errors
    /// The first field whose value can't be used.
    pub fn new(
        kernel: &Kernel,
        variant: &Variant,
        parameters: &Parameters,
    ) -> Result<Self, BadValue> {
        let arguments = kernel
            .arguments
            .iter()
            .filter(|argument| argument.is_of(variant));
        let counts = |formulas: &[Formula]| -> Result<Vec<usize>, BadValue> {
            formulas
                .iter()
                .map(|formula| formula.count(parameters))
                .collect()
        };
        let launch = Self {
            function: variant.function.clone(),
            source: variant.source.clone(),
            options: variant.options.resolved(parameters)?,
            arguments: arguments
                .map(|argument| evaluate(argument, parameters))
                .collect::<Result<_, _>>()?,
            global: counts(&variant.global)?,
            local: counts(&variant.local)?,
        };
        for (dimension, (global, local)) in launch.global.iter().zip(&launch.local).enumerate() {
            if global % local != 0 {
                let expected = format!("a divisor of the global size {global}");
                let problem = format!("is {local}");
                return Err(variant.local[dimension].bad(&problem, parameters, &expected));
            }
        }
        Ok(launch)
    }

    /// Says what the device can't do before its driver says it less well.
    ///
    /// # Errors
    /// What is too large.
    pub fn fits(&self, limits: Limits) -> Result<(), TooLarge> {
        let check = |what: &str, needed: u64, available: u64, unit: &str| {
            if needed <= available {
                return Ok(());
            }
            Err(TooLarge {
                what: what.to_owned(),
                needed: format!("{needed} {unit}"),
                available: format!("{available}"),
            })
        };
        let group = self.work_group_size() as u64;
        check("a work-group", group, limits.work_group_items, "work-items")?;
        let (mut global, mut local) = (0, 0);
        for argument in &self.arguments {
            match argument {
                LaunchArgument::Buffer {
                    name,
                    element,
                    components,
                    access,
                    ..
                } => {
                    let bytes = (components * element.base.bytes()) as u64;
                    let what = format!("buffer `{name}`");
                    check(&what, bytes, limits.buffer_bytes, "bytes")?;
                    // What is read and written is kept twice, to be filled anew.
                    global += if *access == Access::ReadWrite {
                        2 * bytes
                    } else {
                        bytes
                    };
                }
                LaunchArgument::Local(bytes) => local += *bytes as u64,
                LaunchArgument::Scalar(_) => {}
            }
        }
        check("global memory", global, limits.global_bytes, "bytes")?;
        check("local memory", local, limits.local_bytes, "bytes")
    }

    /// Work-items in all.
    pub fn work_items(&self) -> usize {
        self.global.iter().product()
    }

    /// Work-items of one work-group.
    pub fn work_group_size(&self) -> usize {
        self.local.iter().product()
    }

    /// Work-groups in all.
    pub fn work_groups(&self) -> usize {
        self.work_items() / self.work_group_size()
    }

    /// Bytes of all buffers.
    pub fn global_bytes(&self) -> usize {
        let bytes = self.arguments.iter().map(|argument| match argument {
            LaunchArgument::Buffer {
                element,
                components,
                ..
            } => components * element.base.bytes(),
            LaunchArgument::Scalar(_) | LaunchArgument::Local(_) => 0,
        });
        bytes.sum()
    }
}

/// More than a device has.
#[derive(Debug, Error)]
#[error("{what} needs {needed}; the device has {available}")]
pub struct TooLarge {
    /// What does not fit.
    pub what: String,
    /// How much it takes.
    pub needed: String,
    /// How much there is.
    pub available: String,
}

fn evaluate(argument: &Argument, parameters: &Parameters) -> Result<LaunchArgument, BadValue> {
    let size = |element: Element, length: &Formula| {
        let elements = length.count(parameters)?;
        // A tebibyte: no buffer of today's devices is near, and sums of such can't overflow.
        match elements.checked_mul(element.bytes()) {
            Some(bytes) if bytes <= 1 << 40 => Ok(elements * element.lanes),
            _ => Err(length.bad(
                &format!("is {elements} elements"),
                parameters,
                "at most 1 TiB",
            )),
        }
    };
    Ok(match &argument.kind {
        ArgumentKind::Buffer {
            element,
            length,
            access,
            fill,
        } => LaunchArgument::Buffer {
            name: argument.name.clone(),
            element: *element,
            components: size(*element, length)?,
            access: *access,
            fill: fill.clone(),
        },
        ArgumentKind::Local { element, length } => {
            LaunchArgument::Local(size(*element, length)? * element.base.bytes())
        }
        ArgumentKind::Scalar { base, value } => {
            LaunchArgument::Scalar(scalar(*base, value, parameters)?)
        }
    })
}

fn scalar(base: Base, value: &ScalarValue, parameters: &Parameters) -> Result<Vec<u8>, BadValue> {
    let number = match value {
        ScalarValue::Real(real) => Number::Real(*real),
        ScalarValue::Formula(formula) => {
            let number = formula.number(parameters)?;
            if !base.holds(number) {
                let expected = base.numbers();
                return Err(formula.bad(&format!("is {number}"), parameters, &expected));
            }
            number
        }
    };
    let data = Data::generate(base, 1, |_| std::iter::once(Ok(number)))?;
    Ok(data.bytes().to_vec())
}
