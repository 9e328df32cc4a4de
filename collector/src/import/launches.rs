//! Turns launches of a profiler's file into samples: launches of one workload are repetitions of a sample.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_profilers::{Format, Launch, Note, Profile, list_gpus};
use kerncast_wire::{Device, NVIDIA, NewSample, Origin, Provenance, Reading, Times, Workload};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{Import, ImportError, ImportOptions, KernelChoice, Source, kernel_name};
use crate::units::joined;

/// Launches of one kernel and workload, of one shape, on one device.
struct Group {
    device: Device,
    workload: Workload,
    launches: Vec<Launch>,
}

/// The variant of a kernel where neither the file nor the user names one.
const VARIANT: &str = "default";

/// Samples of the launches that have a time. `traced`: the times come from another file than the counters.
pub(super) fn samples(
    mut profile: Profile,
    source: &Source,
    traced: bool,
    options: &ImportOptions,
) -> Result<Import, ImportError> {
    let signatures = profile.launches.iter().map(|launch| &*launch.kernel);
    let names = kernel_name::names(signatures);
    on_chosen_gpus(&mut profile, source, options)?;
    let chosen = chosen_launches(profile.launches, &names, source, options)?;
    let all = chosen.len();
    let groups = group_by_workload(chosen, profile.format, source, options)?;
    let timed: usize = groups.iter().map(|group| group.launches.len()).sum();
    let provenance = provenance(profile.format, source, traced);
    let (measured_at, doubt) = source.measurement_date();
    let mut notes = profile.notes;
    notes.extend(doubt.map(|text| Note { line: 1, text }));
    let samples = groups.into_iter().map(|group| {
        let line = group.launches[0].line;
        let mut sample = NewSample {
            id: Uuid::nil(),
            measured_at,
            agent: options.agent.clone(),
            device: group.device,
            workload: group.workload,
            times: times(&group.launches),
            readings: readings(&group.launches),
            conditions: None,
            flags: Default::default(),
            provenance: provenance.clone(),
            origin: Origin::Imported,
        };
        sample.id = id_of(&sample);
        (line, sample)
    });
    Ok(Import {
        format: profile.format.name(),
        samples: samples.collect(),
        without_time: all - timed,
        notes,
        own_ids: true,
        ..Import::default()
    })
}

/// Groups the launches with a time by workload, shape and device.
fn group_by_workload(
    launches: Vec<(String, Launch)>,
    format: Format,
    source: &Source,
    options: &ImportOptions,
) -> Result<Vec<Group>, ImportError> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: BTreeMap<_, usize> = BTreeMap::new();
    for (kernel, launch) in launches {
        if launch.time_s.is_none() {
            continue;
        }
        let device = device(&launch, format, source, options)?;
        let workload = workload(kernel, &launch, options);
        // Without any size nobody knows whether two launches are of the same one.
        if !workload.parameters.is_empty() || launch.geometry.is_some() {
            let device_key = (
                device.vendor.clone(),
                device.name.clone(),
                launch.gpu.clone(),
            );
            let key = (
                device_key,
                launch.kernel.clone(),
                workload.clone(),
                launch.geometry,
            );
            let place = *places.entry(key).or_insert(groups.len());
            if let Some(group) = groups.get_mut(place) {
                group.launches.push(launch);
                continue;
            }
        }
        groups.push(Group {
            device,
            workload,
            launches: vec![launch],
        });
    }
    Ok(groups)
}

/// An id made of device, workload, times and readings (UUID version 8, RFC 9562, of their SHA-256). Importing the same
/// file again gives the same ids, anywhere and at any time.
fn id_of(sample: &NewSample) -> Uuid {
    let NewSample {
        device: Device { vendor, name, .. },
        workload,
        times,
        readings,
        ..
    } = sample;
    let content = serde_json::to_vec(&(vendor, name, workload, times, readings))
        .expect("finite numbers and text keys, written to memory");
    let hash = Sha256::digest(content);
    let mut id = [0; 16];
    id.copy_from_slice(&hash[..16]);
    Uuid::new_v8(id)
}

/// Keeps the launches on the chosen GPUs. If a file numbers several GPUs and does not name them, the user must choose.
fn on_chosen_gpus(
    profile: &mut Profile,
    source: &Source,
    options: &ImportOptions,
) -> Result<(), ImportError> {
    let there = profile.gpus();
    let (file, gpus) = (source.clone(), list_gpus(&there));
    let mut wishes = options.gpus.iter();
    if let Some(wish) = wishes.find(|wish| !there.contains_key(*wish)).cloned() {
        return Err(ImportError::NoGpu { file, wish, gpus });
    }
    if !options.gpus.is_empty() {
        let is_chosen = |gpu: &String| options.gpus.contains(gpu);
        (profile.launches).retain(|it| it.gpu.as_ref().is_some_and(is_chosen));
    } else if there.len() > 1 && profile.launches.iter().any(|it| it.device.is_none()) {
        return Err(ImportError::SeveralGpus { file, gpus });
    }
    Ok(())
}

/// The chosen launches, with their kernels' names.
fn chosen_launches(
    launches: Vec<Launch>,
    names: &BTreeMap<String, String>,
    source: &Source,
    options: &ImportOptions,
) -> Result<Vec<(String, Launch)>, ImportError> {
    let launches = launches.into_iter();
    let named = launches.map(|launch| (names[&launch.kernel].clone(), launch));
    let mut named: Vec<(String, Launch)> = named.collect();
    if options.kernels.is_empty() {
        return Ok(named);
    }
    let is_of = |choice: &KernelChoice, (name, launch): &(String, Launch)| {
        choice.in_file == *name || choice.in_file == launch.kernel
    };
    let mut choices = options.kernels.iter();
    let absent = choices.find(|choice| !named.iter().any(|it| is_of(choice, it)));
    if let Some(absent) = absent {
        let kernels: BTreeSet<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
        return Err(ImportError::NoKernel {
            file: source.clone(),
            wish: absent.in_file.clone(),
            kernels: joined(kernels, ", "),
        });
    }
    named.retain_mut(|launch| {
        let choice = options.kernels.iter().find(|choice| is_of(choice, launch));
        if let Some(choice) = choice {
            launch.0.clone_from(&choice.in_samples);
        }
        choice.is_some()
    });
    Ok(named)
}

fn device(
    launch: &Launch,
    format: Format,
    source: &Source,
    options: &ImportOptions,
) -> Result<Device, ImportError> {
    let not_in_file = |what, option| ImportError::NotInFile {
        file: source.clone(),
        line: launch.line,
        what,
        option,
    };
    let name = launch.device.as_ref().or(options.device.as_ref());
    let vendor = launch.vendor.as_ref().or(options.vendor.as_ref());
    let vendor = vendor.map(String::as_str).or_else(|| maker(format));
    Ok(Device {
        name: name
            .ok_or_else(|| not_in_file("device", "--device"))?
            .clone(),
        vendor: vendor
            .ok_or_else(|| not_in_file("device's vendor", "--vendor"))?
            .to_owned(),
        kind: options.kind,
        compute_units: None,
        global_memory_bytes: None,
        local_memory_bytes: None,
        max_work_group_size: None,
        max_buffer_bytes: None,
        cache_bytes: None,
    })
}

/// The workload of a launch, with the sizes that the user or the file names; without any, the geometry gives the sizes.
fn workload(kernel: String, launch: &Launch, options: &ImportOptions) -> Workload {
    let mut parameters = options.parameters.clone();
    parameters.extend(launch.parameters.clone());
    if let Some(geometry) = launch.geometry.filter(|_| parameters.is_empty()) {
        for (name, size) in [
            ("work_items", geometry.work_items),
            ("work_group_size", geometry.work_group_items),
        ] {
            parameters.insert(name.to_owned(), i64::try_from(size).unwrap_or(i64::MAX));
        }
    }
    let variant = launch.variant.as_ref().or(options.variant.as_ref());
    Workload {
        kernel,
        family: launch.family.clone(),
        generated: launch.generated,
        variant: variant.map_or(VARIANT, String::as_str).to_owned(),
        parameters,
    }
}

/// The vendor of the devices that a profiler sees, as OpenCL platforms name it.
fn maker(format: Format) -> Option<&'static str> {
    match format {
        Format::Ncu | Format::Nvprof | Format::Nsys => Some(NVIDIA),
        Format::Rocprofv3Counters
        | Format::Rocprofv3Trace
        | Format::Rocprofv3Json
        | Format::Rocprof
        | Format::RocprofilerCompute => Some("Advanced Micro Devices, Inc."),
        Format::Oneprof | Format::Unitrace => Some("Intel(R) Corporation"),
        Format::Oclgrind | Format::Tidy => None,
    }
}

/// The times of the launches, one repetition each, in the file's order.
fn times(launches: &[Launch]) -> Times {
    Times {
        repetitions_s: launches.iter().filter_map(|launch| launch.time_s).collect(),
        launches_per_repetition: 1,
        settled: None,
        cold_repetitions_s: Vec::new(),
    }
}

/// The mean of each counter over the launches that have it; the geometry is common to all of them.
fn readings(launches: &[Launch]) -> BTreeMap<String, Reading> {
    let mut sums: BTreeMap<String, BTreeMap<String, (f64, f64)>> = BTreeMap::new();
    for launch in launches {
        for (provider, counters) in launch.clone().counter_set() {
            let sums = sums.entry(provider).or_default();
            for (name, value) in counters {
                let (sum, n) = sums.entry(name).or_default();
                (*sum, *n) = (*sum + value, *n + 1.0);
            }
        }
    }
    let mean = |(name, (sum, n)): (String, (f64, f64))| (name, sum / n);
    sums.into_iter()
        .map(|(provider, sums)| {
            let reading = Reading {
                counters: sums.into_iter().map(mean).collect(),
                ..Reading::default()
            };
            (provider, reading)
        })
        .collect()
}

/// Provenance of a sample: the file, and how the times were taken. A profiler's times are close to, but not the same
/// as, those of an undisturbed launch; a tidy table's are whatever its maker took.
fn provenance(format: Format, source: &Source, traced: bool) -> Provenance {
    let mut tools = BTreeMap::from([(format.name().to_owned(), source.short_name())]);
    if format != Format::Tidy {
        let time_from = if traced { "trace" } else { "profiler" };
        tools.insert("time_from".to_owned(), time_from.to_owned());
    }
    Provenance {
        tools,
        ..Provenance::default()
    }
}
