//! Files become samples: what the captured ones give, what people add, and what is refused.

use std::{fs, path::PathBuf};

use kerncast_collector::import::{self, Import, ImportError, ImportOptions, KernelChoice, Source};
use kerncast_wire::{Agent, DeviceKind, Origin};

pub(crate) const NCU: &str = "ncu_2025.3_raw_h200_ptx_replay.csv.txt";
const ROCPROFV3: &str = "rocprofiler-sdk_docs_counter_collection.csv";

pub(crate) fn captured(name: &str) -> Source {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../profilers/tests/captured");
    Source::new(folder.join(name))
}

pub(crate) fn no_options() -> ImportOptions {
    ImportOptions {
        agent: Agent {
            name: "desk".to_owned(),
            version: "0".to_owned(),
        },
        device: None,
        vendor: None,
        kind: DeviceKind::Gpu,
        gpus: Vec::new(),
        kernels: Vec::new(),
        variant: None,
        parameters: Default::default(),
    }
}

pub(crate) fn on(device: &str) -> ImportOptions {
    ImportOptions {
        device: Some(device.to_owned()),
        ..no_options()
    }
}

pub(crate) fn import_file(source: &Source, options: &ImportOptions) -> Result<Import, ImportError> {
    import::read(source, &[], options)
}

/// The file of this text, and the folder that it lives in.
pub(crate) fn file_with(text: impl AsRef<[u8]>) -> (tempfile::TempDir, Source) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, text).unwrap();
    (folder, Source::new(path))
}

fn names(import: &Import) -> Vec<&str> {
    let samples = import.samples.iter();
    samples
        .map(|(_, sample)| sample.workload.kernel.as_str())
        .collect()
}

#[test]
fn launches_of_one_shape_are_repetitions_of_a_sample() {
    let import = import_file(&captured(NCU), &no_options()).unwrap();
    assert_eq!(names(&import), ["where", "mm", "clk"]);
    let (line, mm) = &import.samples[1];
    assert_eq!(*line, 12);
    assert_eq!(mm.times.repetitions_s, [358_304e-9, 358_752e-9, 358_560e-9]);
    assert_eq!(
        (mm.device.vendor.as_str(), mm.device.name.as_str()),
        ("NVIDIA Corporation", "NVIDIA H200")
    );
    assert_eq!(mm.workload.variant, "default");
    assert_eq!(
        mm.workload.parameters,
        [
            ("work_group_size".to_owned(), 256),
            ("work_items".to_owned(), 1 << 20)
        ]
        .into()
    );
    assert_eq!(
        mm.readings["launch"].counters.get("work_groups"),
        Some(&4096.0)
    );
    let ncu = &mm.readings["ncu"].counters;
    assert_eq!(ncu.get("smsp__inst_executed.sum"), Some(&146_571_264.0));
    let hits = ncu["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"];
    let mean = (59_168_940.0 + 59_156_738.0 + 59_233_788.0) / 3.0;
    assert!((hits - mean).abs() < 1e-6 * mean, "{hits}");
    assert_eq!(mm.origin, Origin::Imported);
    assert_eq!(mm.provenance.tools["time_from"], "profiler");
    assert_eq!(mm.provenance.tools["ncu"], NCU);
}

#[test]
fn launches_of_two_kernels_are_never_repetitions() {
    let header = "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Device,Name";
    let rows = ["_Z5scalePfi", "_Z5scalePdi", "_Z5scalePfi"]
        .map(|name| format!("100,500,1,64,1,1,32,1,1,GPU,{name}\n"));
    let (_folder, source) = file_with(format!("{header}\n{}", rows.concat()));
    let import = import_file(&source, &no_options()).unwrap();
    assert_eq!(names(&import), ["_Z5scalePfi", "_Z5scalePdi"]);
    let repetitions = import
        .samples
        .iter()
        .map(|(_, it)| it.times.repetitions_s.len());
    assert!(repetitions.eq([2, 1]));
    let both = ["_Z5scalePfi=scale", "_Z5scalePdi=scale"].map(|it| it.parse().unwrap());
    let options = ImportOptions {
        kernels: both.into(),
        ..no_options()
    };
    assert_eq!(
        names(&import_file(&source, &options).unwrap()),
        ["scale", "scale"]
    );
}

/// As Nsight Compute prints a GeForce of the Blackwell generation, and as it does Hopper.
#[test]
fn a_counter_has_one_name_whatever_the_chip_calls_it() {
    let file = |name: &str| {
        let text = format!(
            r#""ID","Process ID","Kernel Name","Block Size","Grid Size","CC","gpu__time_duration.sum","{name}"
"","","","","","","ns","sector"
"0","1","copy","(256, 1, 1)","(64, 1, 1)","12.0","2,000","4,096"
"#
        );
        let (_folder, source) = file_with(text);
        import_file(&source, &on("GPU"))
            .unwrap()
            .samples
            .remove(0)
            .1
    };
    let [blackwell, hopper] = ["dram__sectors_op_read.sum", "dram__sectors_read.sum"].map(file);
    let expected = [("dram__sectors_read.sum".to_owned(), 4096.0)];
    assert_eq!(blackwell.readings["ncu"].counters, expected.into());
    assert_eq!(blackwell.id, hopper.id);
}

#[test]
fn a_person_says_what_the_file_does_not() {
    let options = ImportOptions {
        kernels: vec!["mm=matmul_float".parse().unwrap()],
        variant: Some("local".to_owned()),
        parameters: [("n".to_owned(), 1024)].into(),
        device: Some("another".to_owned()),
        ..no_options()
    };
    let import = import_file(&captured(NCU), &options).unwrap();
    assert_eq!(names(&import), ["matmul_float"]);
    let (_, sample) = &import.samples[0];
    assert_eq!(sample.workload.variant, "local");
    assert_eq!(sample.workload.parameters, options.parameters);
    assert_eq!(
        sample.device.name, "NVIDIA H200",
        "what the file says stays"
    );

    let options = ImportOptions {
        kernels: vec!["mn".parse().unwrap()],
        ..no_options()
    };
    let error = import_file(&captured(NCU), &options)
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("no launch of a kernel `mn`; it has: clk, mm, where"),
        "{error}"
    );
    for wrong in ["", "=a", "a="] {
        assert!(wrong.parse::<KernelChoice>().is_err(), "{wrong}");
    }
}

#[test]
fn a_file_without_its_device_needs_it_named() {
    let error = import_file(&captured(ROCPROFV3), &no_options())
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("line 2: the file does not say the device: name it by --device"),
        "{error}"
    );
    let import = import_file(&captured(ROCPROFV3), &on("gfx90a")).unwrap();
    let kernels = [
        "addition_kernel<float>",
        "subtract_kernel",
        "multiply_kernel",
        "divide_kernel",
    ];
    assert_eq!(names(&import), kernels);
    assert_eq!(
        import.samples[0].1.device.vendor,
        "Advanced Micro Devices, Inc."
    );
}

#[test]
fn times_of_a_trace_are_believed() {
    let head = "Dispatch_Id,Kernel_Name,Grid_Size,Workgroup_Size,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp";
    let (_a, one) = file_with(format!("{head}\n1,k,64,64,SQ_WAVES,1,1000,9000\n"));
    let (_b, two) = file_with(format!("{head}\n1,k,64,64,SQ_INSTS,7,1000,8000\n"));
    let head = "Kind,Dispatch_Id,Kernel_Name,Start_Timestamp,End_Timestamp,Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z,Grid_Size_X,Grid_Size_Y,Grid_Size_Z";
    let (_c, trace) = file_with(format!(
        "{head}\nKERNEL_DISPATCH,1,k,1000,5000,64,1,1,64,1,1\n"
    ));
    let import = import::read(&one, &[two, trace], &on("gfx90a")).unwrap();
    let (_, sample) = &import.samples[0];
    assert_eq!(sample.times.repetitions_s, [4e-6]);
    let counters = &sample.readings["rocprofv3"].counters;
    assert_eq!((counters["SQ_WAVES"], counters["SQ_INSTS"]), (1.0, 7.0));
    assert_eq!(sample.provenance.tools["time_from"], "trace");

    let error = import::read(
        &captured(ROCPROFV3),
        &[captured("rocprofiler-sdk_docs_kernel_trace.csv")],
        &on("gfx90a"),
    );
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("the files do not belong together"),
        "{error}"
    );
}

#[test]
fn launches_without_a_time_are_counted_and_left_out() {
    let import = import_file(
        &captured("amd_HPCTrainingExamples_finite-difference_data_movement.csv"),
        &on("gfx90a"),
    );
    let import = import.unwrap();
    assert!(import.is_empty());
    assert_eq!((import.without_time, import.notes.len()), (3, 1));
}

#[test]
fn rows_of_a_tidy_table_without_sizes_stay_apart() {
    let table = "device,vendor,kernel,variant,time_s,param:n,x:a\nD,V,k,v,1,8,2\nD,V,k,v,3,8,4\nD,V,k,v,5,,6\nD,V,k,v,7,,8\n";
    let (_folder, source) = file_with(table);
    let import = import_file(&source, &no_options()).unwrap();
    let times: Vec<&[f64]> = import
        .samples
        .iter()
        .map(|(_, sample)| sample.times.repetitions_s.as_slice())
        .collect();
    assert_eq!(times, [&[1.0, 3.0][..], &[5.0], &[7.0]]);
    assert_eq!(
        import.samples[0].1.readings["x"].counters.get("a"),
        Some(&3.0)
    );
    let (_folder, without_vendor) = file_with(table.replace(",V,", ",,"));
    let error = import_file(&without_vendor, &no_options())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("line 2: the file does not say the device's vendor"),
        "{error}"
    );
}

#[test]
fn ids_are_those_of_what_was_measured() {
    let ids = |options: &ImportOptions| -> Vec<_> {
        let import = import_file(&captured(NCU), options).unwrap();
        import.samples.iter().map(|(_, sample)| sample.id).collect()
    };
    let mine = ids(&no_options());
    let mut yours = no_options();
    yours.agent.name = "another".to_owned();
    assert_eq!(mine, ids(&yours));
    yours.variant = Some("local".to_owned());
    let theirs = ids(&yours);
    assert!(
        mine.iter()
            .all(|id| id.get_version_num() == 8 && !theirs.contains(id))
    );
}

#[test]
fn an_object_that_a_program_printed_above_a_table_is_no_sample() {
    let table = "Index,KernelName,gpu-id,grd,wgr,BeginNs,EndNs\n0,k,1,64,64,1,5\n";
    let (_folder, source) = file_with(format!("{{\"steps\": 7}}\n{table}"));
    assert_eq!(names(&import_file(&source, &on("gfx90a")).unwrap()), ["k"]);
}

pub(crate) const TWO_GPUS: &str = r#""ID","Process ID","Kernel Name","Block Size","Grid Size","Device","CC","gpu__time_duration.sum","a__b"
"","","","","","","","us","inst"
"0","7","k","(256, 1, 1)","(64, 1, 1)","0","9.0","12.5","4,096"
"1","7","k","(256, 1, 1)","(64, 1, 1)","1","7.5","99.5","4,096"
"#;

#[test]
fn gpus_of_a_file_are_never_taken_for_one() {
    let (_folder, source) = file_with(TWO_GPUS);
    let error = import_file(&source, &on("GPU")).unwrap_err().to_string();
    let says = "launches on 2 GPUs, whose names the file does not say: 0 (line 3), 1 (line 4). Take one by --gpu";
    assert!(error.contains(says), "{error}");
    for (gpus, times) in [
        (&["1"][..], &[99.5e-6][..]),
        (&["0", "1"], &[12.5e-6, 99.5e-6]),
    ] {
        let options = ImportOptions {
            gpus: gpus.iter().map(|it| (*it).to_owned()).collect(),
            ..on("GPU")
        };
        let import = import_file(&source, &options).unwrap();
        let samples = import.samples.iter();
        let first_times: Vec<f64> = samples.map(|(_, it)| it.times.repetitions_s[0]).collect();
        assert_eq!(first_times, times);
    }
    let options = ImportOptions {
        gpus: vec!["4".to_owned()],
        ..on("GPU")
    };
    let error = import_file(&source, &options).unwrap_err().to_string();
    assert!(
        error.ends_with("no launch on a GPU `4`; it has: 0 (line 3), 1 (line 4)"),
        "{error}"
    );
}

#[test]
fn a_date_that_makes_no_sense_gives_way_to_the_time_of_the_import() {
    let (_folder, source) = file_with("device,vendor,kernel,variant,time_s\nD,V,k,v,1\n");
    let file = fs::File::open(source.to_string()).unwrap();
    let times = fs::FileTimes::new().set_modified(std::time::SystemTime::UNIX_EPOCH);
    file.set_times(times).unwrap();
    let import = import_file(&source, &no_options()).unwrap();
    let age = chrono::Utc::now() - import.samples[0].1.measured_at;
    assert!(age.num_minutes() < 5, "{age}");
    let note = "the file is dated 1970-01-01: the time of the import is taken instead";
    assert_eq!(import.notes[0].text, note);
}
