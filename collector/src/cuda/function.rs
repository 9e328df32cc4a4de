//! A function, loaded from PTX.

use std::{
    ffi::{CString, c_void},
    ptr,
    sync::Arc,
};

use cudarc::driver::{CudaContext, result, sys};

use super::{
    Context, CudaError, Device, Grid, assemble,
    ptx::{Parameter, Patched},
};

/// A function and the module that has it.
pub(super) struct Function {
    context: Arc<CudaContext>,
    module: sys::CUmodule,
    function: sys::CUfunction,
    /// Bytes of each parameter.
    parameters: Vec<usize>,
}

impl Function {
    /// Assembles the PTX and picks the function `name`.
    #[expect(
        unsafe_code,
        reason = "the name ends in NUL; the context is current; the module is valid"
    )]
    pub(super) fn load(device: &Device, ptx: &Patched, name: &str) -> Result<Self, CudaError> {
        let context = device.context.clone();
        context.bind_to_thread().context("cuCtxSetCurrent")?;
        let name =
            CString::new(name).map_err(|_| CudaError::Refused("a NUL in a name".to_owned()))?;
        let module = assemble::module(&ptx.text)?;
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

    /// Bytes of the `__local` arrays in its source, per work-group.
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

    /// Launches on the default stream, without waiting.
    ///
    /// # Panics
    /// If a value has another size than its parameter.
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
        let given = values.iter().map(Vec::len);
        assert!(given.eq(self.parameters.iter().copied()), "as the PTX says");
        let mut pointers: Vec<*mut c_void> = values
            .iter()
            .map(|value| value.as_ptr().cast_mut().cast())
            .collect();
        let stream = ptr::null_mut(); // the default one
        let ([x, y, z], [items_x, items_y, items_z]) = (grid.groups(), grid.items());
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

fn sizes(ptx: &Patched) -> Vec<usize> {
    let own = ptx.parameters.iter().copied().map(Parameter::bytes);
    let environment = ptx.environment.iter().map(|_| size_of::<u32>());
    own.chain(environment).collect()
}
