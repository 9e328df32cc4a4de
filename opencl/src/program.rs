//! Programs, and functions with arguments.

use std::{collections::BTreeMap, ptr, sync::Arc};

use opencl3::{
    error_codes::{CL_INVALID_ARG_VALUE, ClError},
    kernel::{CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_ADDRESS_PRIVATE, Kernel, set_kernel_arg},
    types::{cl_kernel, cl_mem},
};

use super::{Buffer, Context, ErrorContext, Image, OpenClError, Sampler, loan::Loan};

/// A built source.
pub struct Program {
    inner: opencl3::program::Program,
    context: Context,
}

/// A function of a program, with its arguments.
pub struct Function {
    kernel: Kernel,
    /// The owners of arguments by index; OpenCL does not keep them alive.
    owners: BTreeMap<u32, ArgumentOwner>,
    context: Context,
}

/// A parameter of a function, as far as the driver tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The type's name in OpenCL C: `float4`, `int*`, or a name that the source defines.
    pub type_name: String,
    /// The address space that it points to.
    pub space: Space,
}

/// An address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// `__global`, or `__constant`.
    Global,
    /// `__local`.
    Local,
    /// Private memory: the parameter is no pointer.
    Private,
}

/// The object that keeps an argument's handle valid.
#[expect(dead_code, reason = "held for its life alone")]
enum ArgumentOwner {
    Buffer(Arc<Buffer>),
    Image(Arc<Image>),
    Sampler(Sampler),
}

/// Type names of images and samplers in OpenCL C and in `CL_KERNEL_ARG_TYPE_NAME`.
const IMAGE_TYPE: &str = "image2d_t";
const SAMPLER_TYPE: &str = "sampler_t";

impl Context {
    /// Builds `source` with the compiler's `options`.
    ///
    /// # Errors
    /// The compiler refuses the source; the error has its log.
    pub fn build(&self, source: &str, options: &str) -> Result<Program, OpenClError> {
        let context = self.inner();
        let mut inner = opencl3::program::Program::create_from_source(context, source)
            .when("clCreateProgramWithSource")?;
        // So that arguments can be checked.
        let options = format!("{options} -cl-kernel-arg-info");
        let Err(code) = inner.build(context.devices(), &options) else {
            let context = self.clone();
            return Ok(Program { inner, context });
        };
        let log = inner.get_build_log(context.default_device());
        let log = log.unwrap_or_default();
        let log = log.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        Err(if log.is_empty() {
            OpenClError::Call {
                action: format!("building with options `{options}`"),
                code,
            }
        } else {
            OpenClError::Build(log.to_owned())
        })
    }
}

impl Program {
    /// The function `name`, without arguments yet.
    ///
    /// # Errors
    /// The program has no such function; the error lists its functions.
    pub fn function(&self, name: &str) -> Result<Function, OpenClError> {
        let names = self.inner.kernel_names().replace(';', ", ");
        if !names.split(", ").any(|it| it == name) {
            return Err(OpenClError::NoFunction {
                name: name.to_owned(),
                found: names,
            });
        }
        let action = format!("clCreateKernel `{name}`");
        Ok(Function {
            kernel: Kernel::create(&self.inner, name).when(&action)?,
            owners: BTreeMap::new(),
            context: self.context.clone(),
        })
    }

    /// The binary that the device's compiler made of the source; on NVIDIA's devices PTX.
    ///
    /// # Errors
    /// The driver fails.
    pub fn binary(&self) -> Result<Vec<u8>, OpenClError> {
        let binaries = self.inner.get_binaries().when("CL_PROGRAM_BINARIES")?;
        // The program was built for one device.
        Ok(binaries.into_iter().next().unwrap_or_default())
    }
}

impl Function {
    /// The number of parameters.
    ///
    /// # Errors
    /// The driver fails.
    pub fn argument_count(&self) -> Result<usize, OpenClError> {
        let count = self.kernel.num_args().when("CL_KERNEL_NUM_ARGS")?;
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// The parameter at `index`; none where the driver does not tell.
    #[must_use]
    pub fn parameter(&self, index: u32) -> Option<Parameter> {
        let type_name = self.kernel.get_arg_type_name(index).ok()?;
        let type_name = type_name.trim_end_matches('\0').trim();
        let space = match self.kernel.get_arg_address_qualifier(index).ok()? {
            CL_KERNEL_ARG_ADDRESS_LOCAL => Space::Local,
            CL_KERNEL_ARG_ADDRESS_PRIVATE => Space::Private,
            _ => Space::Global,
        };
        (!type_name.is_empty()).then(|| Parameter {
            type_name: type_name.to_owned(),
            space,
        })
    }

    /// The work-group size that the source requires (`reqd_work_group_size`); none where it requires none.
    #[must_use]
    pub fn required_local(&self) -> Option<[usize; 3]> {
        let device = self.context.inner().default_device();
        let size = self.kernel.get_compile_work_group_size(device).ok()?;
        let size: [usize; 3] = size.try_into().ok()?;
        (size != [0, 0, 0]).then_some(size)
    }

    /// Local memory of one work-group in bytes: arrays in the source and `__local` arguments.
    ///
    /// # Errors
    /// The driver fails.
    pub fn local_bytes(&self) -> Result<u64, OpenClError> {
        let device = self.context.inner().default_device();
        self.kernel
            .get_local_mem_size(device)
            .when("CL_KERNEL_LOCAL_MEM_SIZE")
    }

    /// Sets argument `index` to a buffer, and keeps it until the argument is set again.
    ///
    /// # Errors
    /// The argument is no buffer.
    #[expect(
        unsafe_code,
        reason = "the driver checks index and size; the handle is valid as long as it is an argument"
    )]
    pub fn set_buffer(&mut self, index: u32, buffer: Arc<Buffer>) -> Result<(), OpenClError> {
        let action = format!("argument {} as a buffer", index + 1);
        let handle = buffer.handle();
        self.check_type(index, None).when(&action)?;
        unsafe { self.kernel.set_arg(index, &handle) }.when(&action)?;
        self.owners.insert(index, ArgumentOwner::Buffer(buffer));
        Ok(())
    }

    /// Sets argument `index` to an image, and keeps it until the argument is set again.
    ///
    /// # Errors
    /// The argument is no `image2d_t`.
    #[expect(
        unsafe_code,
        reason = "the argument is an image's; the handle is valid as long as it is an argument"
    )]
    pub fn set_image(&mut self, index: u32, image: Arc<Image>) -> Result<(), OpenClError> {
        let action = format!("argument {} as an image", index + 1);
        let handle = image.handle();
        self.check_type(index, Some(IMAGE_TYPE)).when(&action)?;
        unsafe { self.kernel.set_arg(index, &handle) }.when(&action)?;
        self.owners.insert(index, ArgumentOwner::Image(image));
        Ok(())
    }

    /// Sets argument `index` to a sampler, and keeps it until the argument is set again.
    ///
    /// # Errors
    /// The argument is no `sampler_t`.
    #[expect(
        unsafe_code,
        reason = "the argument is a sampler's; the handle is valid as long as it is an argument"
    )]
    pub fn set_sampler(&mut self, index: u32, sampler: Sampler) -> Result<(), OpenClError> {
        let action = format!("argument {} as a sampler", index + 1);
        let handle = sampler.handle();
        self.check_type(index, Some(SAMPLER_TYPE)).when(&action)?;
        unsafe { self.kernel.set_arg(index, &handle) }.when(&action)?;
        self.owners.insert(index, ArgumentOwner::Sampler(sampler));
        Ok(())
    }

    /// Refuses an argument whose parameter has another type than `expected`, because drivers follow any handle. None
    /// stands for every type but images and samplers; then nothing is refused where the driver does not tell types.
    fn check_type(&self, index: u32, expected: Option<&str>) -> opencl3::Result<()> {
        let actual = self.kernel.get_arg_type_name(index);
        let is_right = match expected {
            Some(expected) => actual?.trim_end_matches('\0') == expected,
            None => {
                let actual = actual.unwrap_or_default();
                ![IMAGE_TYPE, SAMPLER_TYPE].contains(&actual.trim_end_matches('\0'))
            }
        };
        if is_right {
            return Ok(());
        }
        Err(ClError(CL_INVALID_ARG_VALUE))
    }

    /// Sets argument `index` to a scalar, a vector or a structure: its bytes.
    ///
    /// # Errors
    /// The argument has another size, or is a buffer.
    #[expect(
        unsafe_code,
        reason = "the driver checks index and size, and copies as many bytes as there are"
    )]
    pub fn set_scalar(&mut self, index: u32, bytes: &[u8]) -> Result<(), OpenClError> {
        let action = format!("argument {} as a value of {} bytes", index + 1, bytes.len());
        // PoCL takes eight bytes for a handle where it expects one, and follows it.
        let space = self.kernel.get_arg_address_qualifier(index);
        if space.is_ok_and(|space| space != CL_KERNEL_ARG_ADDRESS_PRIVATE) {
            return Err(ClError(CL_INVALID_ARG_VALUE)).when(&action);
        }
        self.check_type(index, None).when(&action)?;
        let (handle, value) = (self.kernel.get(), bytes.as_ptr().cast());
        unsafe { set_kernel_arg(handle, index, bytes.len(), value) }
            .map_err(ClError)
            .when(&action)
    }

    /// Sets argument `index` to `bytes` of local memory.
    ///
    /// # Errors
    /// The argument is not `__local`.
    #[expect(unsafe_code, reason = "the driver checks index and size")]
    pub fn set_local(&mut self, index: u32, bytes: usize) -> Result<(), OpenClError> {
        unsafe { self.kernel.set_arg_local_buffer(index, bytes) }.when(&format!(
            "argument {} as {bytes} bytes of local memory",
            index + 1
        ))
    }

    /// Sets argument `index`, a buffer, to a null pointer.
    ///
    /// # Errors
    /// The argument is no buffer.
    #[expect(
        unsafe_code,
        reason = "the driver checks index and size, and reads nothing"
    )]
    pub fn set_null(&mut self, index: u32) -> Result<(), OpenClError> {
        let bytes = size_of::<cl_mem>();
        unsafe { set_kernel_arg(self.kernel.get(), index, bytes, ptr::null()) }
            .map_err(ClError)
            .when(&format!("argument {} as no buffer", index + 1))
    }

    pub(super) fn handle(&self) -> cl_kernel {
        self.kernel.get()
    }

    /// Loans of callers' memory among its arguments.
    pub(super) fn loans(&self) -> impl Iterator<Item = &Loan> {
        self.owners.values().filter_map(|argument| match argument {
            ArgumentOwner::Buffer(buffer) => buffer.loan(),
            ArgumentOwner::Image(_) | ArgumentOwner::Sampler(_) => None,
        })
    }
}
