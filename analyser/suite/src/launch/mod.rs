//! A workload with every expression evaluated: one launch, or several.

use std::{path::PathBuf, sync::Arc};

use super::{
    Access, BadValue, Data, Fill, FillError, Image, Kernel, Parameters, Sampler, Type, Variant,
    data::Before, fill::Filling,
};

mod evaluate;
mod input;
mod limits;

pub(crate) use evaluate::ROUND;
pub use input::Input;
pub use limits::{ImageLimits, Limits, TooLarge};

/// A workload: functions to launch, and their arguments.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The source file.
    pub source: PathBuf,
    /// Options of the OpenCL compiler.
    pub options: String,
    /// Buffers and images that the steps share, in the launch file's order.
    pub buffers: Vec<LaunchBuffer>,
    /// Steps of one launch each, in order; at least one.
    pub steps: Vec<Step>,
    /// The buffer that ends the rounds ([`Variant::until`]): there are as many steps as for the most rounds.
    pub until: Option<usize>,
    /// Buffers that no function takes: fills of the others may use their numbers.
    pub(crate) helpers: Vec<LaunchBuffer>,
}

/// A buffer, or an image.
#[derive(Clone, Debug)]
pub struct LaunchBuffer {
    /// The argument's name.
    pub name: String,
    /// The type of its elements; for an image's pixels that on the host.
    pub ty: Type,
    /// Number of elements; for an image of its pixels.
    pub elements: usize,
    /// The image's shape, if it is one.
    pub image: Option<Image>,
    /// The kernel's access to it.
    pub access: Access,
    /// Whether its elements may come in any order.
    pub any_order: bool,
    /// Its contents before the first launch.
    pub fill: Option<Fill>,
}

/// One launch of a function.
#[derive(Clone, Debug)]
pub struct Step {
    /// The OpenCL function.
    pub function: Arc<str>,
    /// Its arguments' names, in the function's order.
    pub names: Arc<[String]>,
    /// The arguments, one for each name.
    pub arguments: Vec<LaunchArgument>,
    /// Work-items by dimension.
    pub global: Vec<usize>,
    /// Work-group size by dimension.
    pub local: Vec<usize>,
    /// The round that it is in, from 0; none before the first and after the last, or if there are no rounds.
    pub round: Option<usize>,
    /// Whether its time counts.
    pub is_timed: bool,
}

/// One argument of a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LaunchArgument {
    /// The buffer or image in this place of the launch's.
    Buffer(usize),
    /// A `sampler_t`.
    Sampler(Sampler),
    /// A scalar: its bytes, in this machine's order.
    Scalar(Vec<u8>),
    /// `__local` memory, in bytes.
    Local(usize),
    /// A null pointer: a buffer of no elements.
    Null,
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
        evaluate::launch(kernel, variant, parameters)
    }

    /// The contents of each buffer before the first launch; none if only the kernel writes it. The same kernel always
    /// has the same. Structures are given as bytes.
    ///
    /// # Errors
    /// A fill has no value that the type can hold.
    pub fn inputs(
        &self,
        kernel: &str,
        parameters: &Parameters,
    ) -> Result<Vec<Option<Data>>, FillError> {
        let mut inputs: Vec<Option<Data>> = Vec::new();
        let all = || self.helpers.iter().chain(&self.buffers);
        for buffer in all() {
            let names = all().map(|buffer| &*buffer.name);
            let before = names.zip(&inputs);
            let before = before
                .filter_map(|(name, input)| Some((name, input.as_ref()?)))
                .collect();
            let input = buffer.filled(kernel, parameters, &before)?;
            inputs.push(input);
        }
        Ok(inputs.split_off(self.helpers.len()))
    }

    /// The contents of the buffer in this place before the first launch, as in [`inputs`](Self::inputs), without
    /// filling those that its fill does not refer to.
    ///
    /// # Errors
    /// Those of [`inputs`](Self::inputs).
    pub fn input(
        &self,
        kernel: &str,
        parameters: &Parameters,
        place: usize,
    ) -> Result<Option<Data>, FillError> {
        if place >= self.buffers.len() {
            return Ok(None);
        }
        let all: Vec<&LaunchBuffer> = self.helpers.iter().chain(&self.buffers).collect();
        input(&all[..=self.helpers.len() + place], kernel, parameters)
    }

    /// The only step, if there is one alone.
    pub fn only_step(&self) -> Option<&Step> {
        match self.steps.as_slice() {
            [step] => Some(step),
            _ => None,
        }
    }

    /// Whether the output `argument`, or `argument.field`, may have components that nobody wrote.
    pub fn is_partly_written(&self, output: &str) -> bool {
        let name = output.split('.').next();
        let buffer = self.buffers.iter().find(|it| Some(&*it.name) == name);
        buffer.is_some_and(|buffer| buffer.access == Access::WritePartly)
    }

    /// Whether the launch has images or samplers.
    pub fn has_images(&self) -> bool {
        let mut arguments = self.steps.iter().flat_map(|step| &step.arguments);
        self.buffers.iter().any(|buffer| buffer.image.is_some())
            || arguments.any(|argument| matches!(argument, LaunchArgument::Sampler(_)))
    }

    /// Steps whose time counts.
    pub fn timed(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|it| it.is_timed)
    }

    /// Work-items of all launches.
    pub fn work_items(&self) -> usize {
        self.timed().map(Step::work_items).sum()
    }

    /// Work-items of the largest work-group.
    pub fn work_group_size(&self) -> usize {
        let sizes = self.steps.iter().map(Step::work_group_size);
        sizes.max().unwrap_or_default()
    }

    /// Work-groups of all launches.
    pub fn work_groups(&self) -> usize {
        self.timed().map(Step::work_groups).sum()
    }

    /// Bytes of each buffer.
    pub fn bytes(&self) -> Vec<usize> {
        self.buffers.iter().map(LaunchBuffer::bytes).collect()
    }

    /// Bytes of all buffers and images.
    pub fn global_bytes(&self) -> usize {
        self.buffers.iter().map(LaunchBuffer::bytes).sum()
    }
}

/// The contents of the last of some buffers; buffers before it that its fill refers to are filled, too.
fn input(
    buffers: &[&LaunchBuffer],
    kernel: &str,
    parameters: &Parameters,
) -> Result<Option<Data>, FillError> {
    let Some((buffer, before)) = buffers.split_last() else {
        return Ok(None);
    };
    let mut inputs = Vec::new();
    for (place, other) in before.iter().enumerate() {
        let fill = buffer.fill.as_ref();
        if fill.is_some_and(|fill| fill.refers_to(&other.name)) {
            inputs.push((&*other.name, input(&buffers[..=place], kernel, parameters)?));
        }
    }
    let before = inputs.iter();
    let before = before
        .filter_map(|(name, input)| Some((*name, input.as_ref()?)))
        .collect();
    buffer.filled(kernel, parameters, &before)
}

impl LaunchBuffer {
    /// Size, bytes.
    pub fn bytes(&self) -> usize {
        self.elements * self.ty.bytes()
    }

    /// Zeros of the buffer's type and length.
    pub fn zeros(&self) -> Data {
        let (base, components) = self.ty.storage(self.elements);
        Data::zeros(base, components)
    }

    /// The contents to be compared. Structures are given field by field, as `name.field`; components that may come in
    /// any order are sorted.
    pub fn columns(&self, data: Data) -> Vec<(String, Data)> {
        match &self.ty {
            Type::Element(element) if self.any_order => {
                vec![(self.name.clone(), data.sorted(element.lanes))]
            }
            ty => ty.columns(&self.name, data),
        }
    }

    fn filled(
        &self,
        kernel: &str,
        parameters: &Parameters,
        before: &Before<'_>,
    ) -> Result<Option<Data>, FillError> {
        let Some(fill) = &self.fill else {
            return Ok(None);
        };
        let filling = Filling {
            kernel,
            argument: &self.name,
            parameters,
            before,
        };
        let (Type::Struct(structure), Fill::Fields(fills)) = (&self.ty, fill) else {
            let (base, components) = self.ty.storage(self.elements);
            return Ok(Some(fill.data(base, components, filling)?));
        };
        let mut columns: Vec<Data> = Vec::new();
        for (place, (field, fill)) in structure.fields.iter().zip(fills).enumerate() {
            let name = format!("{}.{}", self.name, field.name);
            let names = structure.fields.iter().map(|it| &*it.name);
            let earlier = names.zip(&columns);
            let before = before.iter().map(|it| (*it.0, *it.1)).chain(earlier);
            let before = &before.collect();
            // What the sums come to stands behind them, for their differences.
            let is_asked = fills[place + 1..]
                .iter()
                .any(|it| it.refers_to(&field.name));
            let total = usize::from(is_asked && matches!(fill, Fill::PrefixSum(_)));
            let components = self.elements * field.components() + total;
            let argument = &name;
            let filling = Filling {
                argument,
                before,
                ..filling
            };
            columns.push(fill.data(field.element.base, components, filling)?);
        }
        Ok(Some(Data::Uchar(structure.join(&columns, self.elements))))
    }
}

impl Step {
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

    /// Bytes of `__local` arguments.
    pub fn local_bytes(&self) -> u64 {
        let bytes = self.arguments.iter().map(|argument| match argument {
            LaunchArgument::Local(bytes) => *bytes as u64,
            _ => 0,
        });
        bytes.sum()
    }
}
