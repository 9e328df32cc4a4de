//! Files that are imported in other forms: compressed, as rocprofv3's database, and as JSON Lines.

use kerncast_collector::import::{ImportError, Source};
use kerncast_wire::NewSample;

use crate::import::{NCU, TWO_GPUS, captured, file_with, import_file, no_options, on};

fn text_of(samples: &[NewSample]) -> String {
    let lines = samples.iter().map(|it| serde_json::to_string(it).unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn gzip_is_read() {
    let mut file = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(
        &mut file,
        TWO_GPUS
            .replace("\"1\",\"7.5\"", "\"0\",\"9.0\"")
            .as_bytes(),
    )
    .unwrap();
    let (_folder, source) = file_with(file.finish().unwrap());
    let import = import_file(&source, &on("GPU")).unwrap();
    assert_eq!(import.samples[0].1.times.repetitions_s, [12.5e-6, 99.5e-6]);
}

/// The columns that are read of rocprofv3's database, of views that are tables here.
const ROCPD: &str = "
    CREATE TABLE kernels (pid, dispatch_id, agent_abs_index, agent_log_index, name, start, \"end\",
        grid_x, grid_y, grid_z, workgroup_x, workgroup_y, workgroup_z);
    CREATE TABLE counters_collection (pid, dispatch_id, agent_absolute_index, kernel_name, start, \"end\", grid_size,
        workgroup_size, counter_name, value);
    INSERT INTO kernels VALUES (900, 1, 4, 0, 'scale(float*, int)', 1000000, 1012500, 64, 4, 1, 32, 2, 1);";

#[test]
fn a_database_of_rocprofv3_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let source = |name: &str, sql: &str| {
        let path = folder.path().join(name);
        let database = rusqlite::Connection::open(&path).unwrap();
        database.execute_batch(sql).unwrap();
        Source::new(path)
    };
    let timed = source("timed.db", ROCPD);
    let counters = "INSERT INTO counters_collection VALUES
        (900, 1, 4, 'scale(float*, int)', 1000000, 1012500, 256, 64, 'SQ_WAVES', 4.0),
        (900, 1, 4, 'scale(float*, int)', 1000000, 1012500, 256, 64, 'SQ_INSTS', 8.5);";
    let counted = source("counted.db", &format!("{ROCPD}{counters}"));
    for file in [&timed, &counted] {
        let (_, sample) = &import_file(file, &on("gfx90a")).unwrap().samples[0];
        assert_eq!(sample.workload.kernel, "scale");
        assert_eq!(sample.workload.parameters["work_items"], 256);
        assert_eq!(sample.times.repetitions_s, [12_500e-9]);
        assert_eq!(sample.device.vendor, "Advanced Micro Devices, Inc.");
    }
    let (_, sample) = &import_file(&counted, &on("gfx90a")).unwrap().samples[0];
    let counters = &sample.readings["rocprofv3"].counters;
    assert_eq!((counters["SQ_WAVES"], counters["SQ_INSTS"]), (4.0, 8.5));

    let other = import_file(&source("other.db", "CREATE TABLE a (b)"), &on("gfx90a"));
    let other = other.unwrap_err().to_string();
    assert!(
        other.contains(
            "this is an SQLite database: rocprofv3's is printed by rocpd convert -i FILE"
        ),
        "{other}"
    );
    let (_cut, cut) = file_with(b"SQLite format 3\0and no more");
    let cut = import_file(&cut, &on("gfx90a")).unwrap_err().to_string();
    assert!(
        cut.contains("rocpd convert -i") && cut.ends_with("-f csv"),
        "{cut}"
    );
}

#[test]
fn json_lines_come_back_whole_compressed_or_not() {
    let import = import_file(&captured(NCU), &no_options()).unwrap();
    let samples: Vec<NewSample> = import.samples.into_iter().map(|(_, it)| it).collect();
    let text = text_of(&samples);
    let compressed = zstd::encode_all(text.as_bytes(), 3).unwrap();
    for bytes in [text.as_bytes(), &compressed] {
        let (_folder, source) = file_with(bytes);
        let again = import_file(&source, &no_options()).unwrap();
        let again: Vec<NewSample> = again.samples.into_iter().map(|(_, it)| it).collect();
        assert_eq!(again, samples);
    }
    let (_folder, cut) = file_with(&compressed[..compressed.len() / 2]);
    assert!(matches!(
        import_file(&cut, &no_options()),
        Err(ImportError::Read { .. })
    ));
}

#[test]
fn a_line_that_is_no_sample_is_named_with_its_field() {
    let import = import_file(&captured(NCU), &no_options()).unwrap();
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
        let (_folder, source) = file_with(format!("{good}\n\n{wrong}\n"));
        let error = import_file(&source, &no_options()).unwrap_err().to_string();
        assert!(
            error.contains("line 3: column ") && error.contains(problem),
            "{error}"
        );
    }
}
