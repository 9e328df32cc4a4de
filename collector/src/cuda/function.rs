//! A function, loaded from PTX.

use std::{
    ffi::{CString, c_void},
    ptr,
    sync::Arc,
};

use cudarc::driver::{CudaContext, result, sys};

use super::{Context, CudaError, Device, Grid, ptx};

/// The most bytes of the driver's log that an error has.
const LOG_BYTES: usize = 4096;

/// A function and the module that has it.
pub(super) struct Function {
    context: Arc<CudaContext>,
    module: sys::CUmodule,
    function: sys::CUfunction,
    /// The size of each parameter, bytes.
    parameters: Vec<usize>,
}

impl Function {
    /// Assembles the PTX and picks the function `name`.
    #[expect(
        unsafe_code,
        reason = "the name ends in NUL; the context is current; the module is valid"
    )]
    pub(super) fn load(device: &Device, ptx: &ptx::Patched, name: &str) -> Result<Self, CudaError> {
        let context = device.context.clone();
        context.bind_to_thread().context("cuCtxSetCurrent")?;
        let name =
            CString::new(name).map_err(|_| CudaError::Refused("a NUL in a name".to_owned()))?;
        let module = assemble(&ptx.text)?;
        match unsafe { result::module::get_function(module, name) } {
            Ok(function) => Ok(Self {
                context,
                module,
                function,
                parameters: sizes(ptx),
            }),
            Err(error) => {
                let _ = unsafe { result::module::unload(module) };
                Err(error).context("cuModuleGetFunction")
            }
        }
    }

    /// Bytes of `__local` arrays in the source, per work-group.
    #[expect(unsafe_code, reason = "the function is valid as long as its module")]
    pub(super) fn static_local_bytes(&self) -> Result<usize, CudaError> {
        let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
        let bytes = unsafe { result::function::get_function_attribute(self.function, attribute) };
        Ok(usize::try_from(bytes.context("cuFuncGetAttribute")?).unwrap_or_default())
    }

    /// Lets a launch have `bytes` of dynamic shared memory: without this, CUDA stops at 48 KiB.
    #[expect(unsafe_code, reason = "the function is valid as long as its module")]
    pub(super) fn allow_dynamic_local(&self, bytes: u32) -> Result<(), CudaError> {
        let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let bytes = i32::try_from(bytes).unwrap_or(i32::MAX);
        unsafe { result::function::set_function_attribute(self.function, attribute, bytes) }
            .context("local memory beyond 48 KiB")
    }

    /// Launches the function on the default stream, without waiting.
    ///
    /// # Panics
    /// A value has another size than its parameter.
    #[expect(
        unsafe_code,
        reason = "there is a pointer for each parameter, to as many bytes as it has, and the driver \
                  copies them before it returns. What the kernel does on the device is the kernel's"
    )]
    pub(super) fn launch(
        &self,
        grid: Grid,
        dynamic_local: u32,
        values: &[Vec<u8>],
    ) -> Result<(), CudaError> {
        let sizes = values.iter().map(Vec::len);
        assert!(sizes.eq(self.parameters.iter().copied()), "as the PTX says");
        let pointers = values.iter().map(|it| it.as_ptr().cast_mut().cast());
        let mut pointers: Vec<*mut c_void> = pointers.collect();
        let stream = ptr::null_mut(); // the default one
        let ([x, y, z], [items_x, items_y, items_z]) = (grid.groups, grid.items);
        unsafe {
            result::launch_kernel(
                self.function,
                (x, y, z),
                (items_x, items_y, items_z),
                dynamic_local,
                stream,
                &mut pointers,
            )
        }
        .context("cuLaunchKernel")
    }
}

impl Drop for Function {
    #[expect(
        unsafe_code,
        reason = "the module was loaded once and is unloaded once"
    )]
    fn drop(&mut self) {
        let bound = self.context.bind_to_thread();
        // Nobody is there to hear of an error; the process ends soon.
        let _ = bound.and_then(|()| unsafe { result::module::unload(self.module) });
    }
}

/// Assembles PTX as a whole program, as the OpenCL driver does. (The driver's linker would assemble it
/// as a part of one, with more registers.) The context must be current.
#[expect(
    unsafe_code,
    reason = "the text ends in NUL; options and values are as many as said, and the log is as long \
              as said"
)]
fn assemble(text: &str) -> Result<sys::CUmodule, CudaError> {
    let text = CString::new(text).map_err(|_| CudaError::Refused("a NUL in it".to_owned()))?;
    let mut log = vec![0_u8; LOG_BYTES];
    let mut options = [
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];
    let mut values = [
        log.as_mut_ptr().cast::<c_void>(),
        ptr::without_provenance_mut(LOG_BYTES), // a number where pointers are expected
    ];
    let mut module = ptr::null_mut();
    let loaded = unsafe {
        let (options, values) = (options.as_mut_ptr(), values.as_mut_ptr());
        sys::cuModuleLoadDataEx(&raw mut module, text.as_ptr().cast(), 2, options, values)
    };
    loaded.result().map(|()| module).map_err(|error| {
        let log = String::from_utf8_lossy(&log);
        CudaError::Refused(format!(
            "{:?} {}",
            error.0,
            log.trim_end_matches('\0').trim()
        ))
    })
}

fn sizes(ptx: &ptx::Patched) -> Vec<usize> {
    let own = ptx.parameters.iter().copied().map(ptx::Parameter::bytes);
    let environment = ptx.environment.iter().map(|_| size_of::<u32>());
    own.chain(environment).collect()
}
