//! An OpenCL function, built, with its arguments.

use opencl3::{kernel::Kernel, program::Program};

use super::{Buffer, Context, OpenClDevice, OpenClError, Queue};

/// A built function.
pub struct Function {
    kernel: Kernel,
    program: Program,
    name: String,
}

impl Function {
    /// Builds `source` and picks the function `name`.
    ///
    /// # Errors
    /// The compiler's log, or the names that the source has.
    pub fn build(
        queue: &Queue,
        source: &str,
        options: &str,
        name: &str,
    ) -> Result<Self, OpenClError> {
        let context = queue.context();
        let mut program =
            Program::create_from_source(context, source).context("clCreateProgramWithSource")?;
        if let Err(code) = program.build(context.devices(), options) {
            let log = program
                .get_build_log(context.default_device())
                .unwrap_or_default();
            let log = log.trim_matches(|c: char| c.is_whitespace() || c == '\0');
            return Err(if log.is_empty() {
                OpenClError::Call {
                    what: format!("building with options `{options}`"),
                    code,
                }
            } else {
                OpenClError::Build(log.to_owned())
            });
        }
        let found = program.kernel_names().replace(';', ", ");
        if !found.split(", ").any(|known| known == name) {
            return Err(OpenClError::NoFunction {
                name: name.to_owned(),
                found,
            });
        }
        let kernel = Kernel::create(&program, name).context(&format!("clCreateKernel `{name}`"))?;
        Ok(Self {
            kernel,
            program,
            name: name.to_owned(),
        })
    }

    /// How many arguments it takes.
    ///
    /// # Errors
    /// The driver's.
    pub fn argument_count(&self) -> Result<usize, OpenClError> {
        let count = self.kernel.num_args().context("CL_KERNEL_NUM_ARGS")?;
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// What the device's compiler made of the source: on NVIDIA's devices PTX.
    ///
    /// # Errors
    /// The driver's.
    pub fn binary(&self) -> Result<Vec<u8>, OpenClError> {
        let binaries = self.program.get_binaries().context("CL_PROGRAM_BINARIES")?;
        // The program was built for one device.
        Ok(binaries.into_iter().next().unwrap_or_default())
    }

    /// Local memory of one work-group in bytes: arrays in the source and `__local` arguments.
    ///
    /// # Errors
    /// The driver's.
    pub fn local_bytes(&self, device: &OpenClDevice) -> Result<u64, OpenClError> {
        self.kernel
            .get_local_mem_size(device.inner.id())
            .context("CL_KERNEL_LOCAL_MEM_SIZE")
    }

    /// Sets argument `index` to a buffer, which must outlive every launch.
    ///
    /// # Errors
    /// The argument is no buffer.
    #[expect(
        unsafe_code,
        reason = "the driver checks index and size; the handle is valid"
    )]
    pub fn set_buffer(&self, index: u32, buffer: &Buffer) -> Result<(), OpenClError> {
        unsafe { self.kernel.set_arg(index, &buffer.handle()) }
            .context(&format!("argument {} as a buffer", index + 1))
    }

    /// Sets argument `index` to a scalar of 1, 2, 4 or 8 bytes.
    ///
    /// # Errors
    /// The argument has another size.
    #[expect(
        unsafe_code,
        reason = "the driver checks index and size, and copies the bytes"
    )]
    pub fn set_scalar(&self, index: u32, bytes: &[u8]) -> Result<(), OpenClError> {
        let what = format!(
            "argument {} as a scalar of {} bytes",
            index + 1,
            bytes.len()
        );
        let set = match *bytes {
            [a] => unsafe { self.kernel.set_arg(index, &[a]) },
            [a, b] => unsafe { self.kernel.set_arg(index, &[a, b]) },
            [a, b, c, d] => unsafe { self.kernel.set_arg(index, &[a, b, c, d]) },
            [a, b, c, d, e, f, g, h] => unsafe {
                self.kernel.set_arg(index, &[a, b, c, d, e, f, g, h])
            },
            _ => unreachable!("scalars have 1, 2, 4 or 8 bytes"),
        };
        set.context(&what)
    }

    /// Sets argument `index` to `bytes` of local memory.
    ///
    /// # Errors
    /// The argument is not `__local`.
    #[expect(unsafe_code, reason = "the driver checks index and size")]
    pub fn set_local(&self, index: u32, bytes: usize) -> Result<(), OpenClError> {
        unsafe { self.kernel.set_arg_local_buffer(index, bytes) }.context(&format!(
            "argument {} as {bytes} bytes of local memory",
            index + 1
        ))
    }

    pub(super) fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The function's name.
    pub fn name(&self) -> &str {
        &self.name
    }
}
