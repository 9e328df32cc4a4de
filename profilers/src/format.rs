use kerncast_wire::provider::{NCU, NVPROF, OCLGRIND, ROCPROFV3};

/// The format of a profiler's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// NVIDIA Nsight Compute: `ncu --csv --page raw`.
    Ncu,
    /// NVIDIA nvprof: `nvprof --csv` with `--print-gpu-trace`, `--metrics` or `--events`.
    Nvprof,
    /// AMD rocprofv3: `counter_collection.csv`, one row a counter of a dispatch.
    Rocprofv3Counters,
    /// AMD rocprofv3: `kernel_trace.csv`, times without counters.
    Rocprofv3Trace,
    /// AMD rocprofv3: `--output-format json`.
    Rocprofv3Json,
    /// AMD rocprof (v1): `results.csv`, one row a dispatch.
    Rocprof,
    /// AMD rocprofiler-compute (Omniperf): `pmc_perf.csv` and `timestamps.csv`.
    RocprofilerCompute,
    /// Intel oneprof: `--query` kernel metrics.
    Oneprof,
    /// Intel unitrace, oneprof's successor: `--metric-query`.
    Unitrace,
    /// NVIDIA Nsight Systems: `nsys stats --format csv`, times without counters.
    Nsys,
    /// Oclgrind: `--inst-counts`.
    Oclgrind,
    /// Kerncast's own table: made by hand, or `GET /v1/samples?format=csv`.
    Tidy,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 12] = [
        Self::Ncu,
        Self::Nvprof,
        Self::Rocprofv3Counters,
        Self::Rocprofv3Trace,
        Self::Rocprofv3Json,
        Self::Rocprof,
        Self::RocprofilerCompute,
        Self::Oneprof,
        Self::Unitrace,
        Self::Nsys,
        Self::Oclgrind,
        Self::Tidy,
    ];

    /// The format's name in messages. It is also its provider's name in counters; the tidy table names its own
    /// providers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ncu => NCU,
            Self::Nvprof => NVPROF,
            Self::Rocprofv3Counters | Self::Rocprofv3Trace | Self::Rocprofv3Json => ROCPROFV3,
            Self::Rocprof => "rocprof",
            Self::RocprofilerCompute => "rocprofiler_compute",
            Self::Oneprof => "oneprof",
            Self::Unitrace => "unitrace",
            Self::Nsys => "nsys",
            Self::Oclgrind => OCLGRIND,
            Self::Tidy => "tidy",
        }
    }
}
