//! Files become samples: what the captured ones give, what people add, and what is refused.

use std::{fs, path::PathBuf};

use kerncast_collector::import::{self, Chosen, Import, ImportError, Source, Words};
use kerncast_wire::{Agent, DeviceKind, NewSample, Origin};

const NCU: &str = "ncu_2025.3_raw_h200_ptx_replay.csv.txt";
const ROCPROFV3: &str = "rocprofiler-sdk_docs_counter_collection.csv";

fn captured(name: &str) -> Source {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../profilers/tests/captured");
    Source::new(folder.join(name))
}

fn nothing_said() -> Words {
    Words {
        agent: Agent {
            name: "desk".to_owned(),
            version: "0".to_owned(),
        },
        device: None,
        vendor: None,
        kind: DeviceKind::Gpu,
        kernels: Vec::new(),
        variant: None,
        parameters: Default::default(),
    }
}

fn on(device: &str) -> Words {
    Words {
        device: Some(device.to_owned()),
        ..nothing_said()
    }
}

fn read(source: &Source, words: &Words) -> Result<Import, ImportError> {
    import::read(source, &[], words)
}

/// The file of this text, and the folder that it lives in.
fn written(text: impl AsRef<[u8]>) -> (tempfile::TempDir, Source) {
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

fn text_of(samples: &[NewSample]) -> String {
    let lines = samples.iter().map(|it| serde_json::to_string(it).unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn launches_of_one_shape_are_repetitions_of_a_sample() {
    let import = read(&captured(NCU), &nothing_said()).unwrap();
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
        let (_folder, source) = written(text);
        read(&source, &on("GPU")).unwrap().samples.remove(0).1
    };
    let [blackwell, hopper] = ["dram__sectors_op_read.sum", "dram__sectors_read.sum"].map(file);
    let expected = [("dram__sectors_read.sum".to_owned(), 4096.0)];
    assert_eq!(blackwell.readings["ncu"].counters, expected.into());
    assert_eq!(blackwell.id, hopper.id);
}

#[test]
fn a_person_says_what_the_file_does_not() {
    let words = Words {
        kernels: vec!["mm=matmul_float".parse().unwrap()],
        variant: Some("local".to_owned()),
        parameters: [("n".to_owned(), 1024)].into(),
        device: Some("another".to_owned()),
        ..nothing_said()
    };
    let import = read(&captured(NCU), &words).unwrap();
    assert_eq!(names(&import), ["matmul_float"]);
    let (_, sample) = &import.samples[0];
    assert_eq!(sample.workload.variant, "local");
    assert_eq!(sample.workload.parameters, words.parameters);
    assert_eq!(
        sample.device.name, "NVIDIA H200",
        "what the file says stays"
    );

    let words = Words {
        kernels: vec!["mn".parse().unwrap()],
        ..nothing_said()
    };
    let error = read(&captured(NCU), &words).unwrap_err().to_string();
    assert!(
        error.ends_with("no launch of a kernel `mn`; it has: clk, mm, where"),
        "{error}"
    );
    for wrong in ["", "=a", "a="] {
        assert!(wrong.parse::<Chosen>().is_err(), "{wrong}");
    }
}

#[test]
fn a_file_without_its_device_needs_it_named() {
    let error = read(&captured(ROCPROFV3), &nothing_said())
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("line 2: the file does not say the device: name it by --device"),
        "{error}"
    );
    let import = read(&captured(ROCPROFV3), &on("gfx90a")).unwrap();
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
    let (_a, one) = written(format!("{head}\n1,k,64,64,SQ_WAVES,1,1000,9000\n"));
    let (_b, two) = written(format!("{head}\n1,k,64,64,SQ_INSTS,7,1000,8000\n"));
    let head = "Kind,Dispatch_Id,Kernel_Name,Start_Timestamp,End_Timestamp,Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z,Grid_Size_X,Grid_Size_Y,Grid_Size_Z";
    let (_c, trace) = written(format!(
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
    let import = read(
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
    let (_folder, source) = written(table);
    let import = read(&source, &nothing_said()).unwrap();
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
    let (_folder, without_vendor) = written(table.replace(",V,", ",,"));
    let error = read(&without_vendor, &nothing_said())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("line 2: the file does not say the device's vendor"),
        "{error}"
    );
}

#[test]
fn ids_are_those_of_what_was_measured() {
    let ids = |words: &Words| -> Vec<_> {
        let import = read(&captured(NCU), words).unwrap();
        import.samples.iter().map(|(_, sample)| sample.id).collect()
    };
    let mine = ids(&nothing_said());
    let mut yours = nothing_said();
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
    let (_folder, source) = written(format!("{{\"steps\": 7}}\n{table}"));
    assert_eq!(names(&read(&source, &on("gfx90a")).unwrap()), ["k"]);
}

#[test]
fn json_lines_come_back_whole_compressed_or_not() {
    let import = read(&captured(NCU), &nothing_said()).unwrap();
    let samples: Vec<NewSample> = import.samples.into_iter().map(|(_, it)| it).collect();
    let text = text_of(&samples);
    let compressed = zstd::encode_all(text.as_bytes(), 3).unwrap();
    for bytes in [text.as_bytes(), &compressed] {
        let (_folder, source) = written(bytes);
        let again = read(&source, &nothing_said()).unwrap();
        let again: Vec<NewSample> = again.samples.into_iter().map(|(_, it)| it).collect();
        assert_eq!(again, samples);
    }
    let (_folder, cut) = written(&compressed[..compressed.len() / 2]);
    assert!(matches!(
        read(&cut, &nothing_said()),
        Err(ImportError::Read { .. })
    ));
}

#[test]
fn a_line_that_is_no_sample_is_named_with_its_field() {
    let import = read(&captured(NCU), &nothing_said()).unwrap();
    let good = text_of(&[import.samples[0].1.clone()]);
    for (wrong, problem) in [
        (
            good.replace("[1.632e-6]", "[\"soon\"]"),
            "field times.repetitions_s[0]: invalid type: string \"soon\", expected f64",
        ),
        (
            good.replace("\"times\"", "\"time\""),
            "unknown field `time`",
        ),
        (good[..good.len() / 2].to_owned(), "EOF while parsing"),
        ("{\"ceilings\": {}}".to_owned(), "missing field `id`"),
        ("[]".to_owned(), "expected an object"),
    ] {
        let (_folder, source) = written(format!("{good}\n\n{wrong}\n"));
        let error = read(&source, &nothing_said()).unwrap_err().to_string();
        assert!(
            error.contains("line 3: column ") && error.contains(problem),
            "{error}"
        );
    }
}
