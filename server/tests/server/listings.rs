//! Listings: pages, filters, CSV.

use crate::common::{Server, sample, samples};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

#[sqlx::test(migrations = "../migrations")]
async fn a_sample_is_found_by_its_id(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&samples()).await;
    let listed = server.items("/v1/samples").await;
    for sample in &listed[..3] {
        let path = format!("/v1/samples/{}", sample["id"].as_str().unwrap());
        let (status, mut listed) = server.get(&path).await;
        // The gate may have judged it meanwhile.
        listed["standing"] = sample["standing"].clone();
        assert_eq!((status, &listed), (StatusCode::OK, sample));
    }
    let unknown = "/v1/samples/00000000-0000-7000-8000-000000000000";
    assert_eq!(server.get(unknown).await.0, StatusCode::NOT_FOUND);
    let (status, problem) = server.get("/v1/samples/7").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(problem["errors"][0]["field"], "id");
}

#[sqlx::test(migrations = "../migrations")]
async fn the_catalogue_says_what_samples_speak_of(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&samples()).await;
    let kernels = server.items("/v1/kernels?limit=1").await;
    let expected = json!({
        "name": "kernel_0", "family": "dense", "generated": false, "variants": ["global", "local"],
        "parameters": ["n"], "devices": 1, "samples": 6,
    });
    assert_eq!(kernels, [expected]);
    let counters = server.items("/v1/counters").await;
    let named = counters.iter().map(|it| [&it["provider"], &it["name"]]);
    let named: Vec<_> = named.map(|it| it.map(|it| it.as_str().unwrap())).collect();
    let names = [
        ["launch", "work_groups"],
        ["oclgrind", "load_global"],
        ["oclgrind", "store_global"],
    ];
    assert_eq!(named, names);
    let expected = json!({
        "provider": "launch", "name": "work_groups", "samples": 24, "kernels": 4,
        "description": "work-groups of the launch, of several together", "unit": "work-group", "kind": "launch",
        "role": "work_groups",
    });
    assert_eq!(counters[0], expected);
    let of_one = server.items("/v1/counters?provider=oclgrind").await;
    assert_eq!(of_one, counters[1..]);
    let (_, page) = server.get("/v1/counters?limit=1").await;
    let next = format!("/v1/counters?cursor={}", page["next"].as_str().unwrap());
    assert_eq!(server.items(&next).await.len(), 2);
    let agents = server.items("/v1/agents").await;
    assert_eq!(
        (&agents[0]["name"], &agents[0]["samples"]),
        (&json!("lab-3"), &json!(24))
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn an_export_is_a_tidy_table(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = samples();
    let odd = &mut batch[0];
    odd["device"]["name"] = json!("==commas==, and \"quotes\"");
    odd["workload"]["kernel"] = json!("größe; n = 1");
    odd["workload"]["parameters"] = json!({ "-1": -1, "m": 2 });
    odd["workload"].as_object_mut().unwrap().remove("family");
    odd["times"]["repetitions_s"] = json!([1.25e-7]);
    odd["times"]["settled"] = json!(false);
    odd["flags"] = json!(["throttled", "shared"]);
    odd["readings"] = json!({ "meter": { "counters": { "a:b, c": 1e20 } } });
    server.upload(&batch).await;

    let (_, text) = server.get("/v1/samples?format=csv").await;
    let profile = kerncast_profilers::parse(text.as_str().unwrap()).unwrap();
    assert_eq!(profile.format, kerncast_profilers::Format::Tidy);
    // The newest comes first.
    let launches: Vec<_> = profile.launches.iter().rev().collect();
    assert_eq!(launches.len(), batch.len());
    for (sent, read) in batch.iter().zip(launches) {
        let workload = &sent["workload"];
        let mut times: Vec<f64> =
            serde_json::from_value(sent["times"]["repetitions_s"].clone()).unwrap();
        times.sort_by(f64::total_cmp);
        assert_eq!(read.time_s, Some(times[times.len() / 2]));
        let (device, vendor) = (
            sent["device"]["name"].as_str(),
            sent["device"]["vendor"].as_str(),
        );
        assert_eq!(
            (read.device.as_deref(), read.vendor.as_deref()),
            (device, vendor)
        );
        assert_eq!(json!(read.kernel), workload["kernel"]);
        assert_eq!(read.variant.as_deref(), workload["variant"].as_str());
        assert_eq!(
            read.parameters,
            serde_json::from_value(workload["parameters"].clone()).unwrap()
        );
        // Another sample's kernel may have told the family; here it has none.
        assert_eq!(read.family.as_deref(), workload["family"].as_str());
        let readings = sent["readings"].as_object().unwrap();
        let counters = readings.iter().map(|(provider, reading)| {
            let counters = serde_json::from_value(reading["counters"].clone()).unwrap();
            (provider.clone(), counters)
        });
        assert_eq!(read.counters, counters.collect());
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_limit_holds_for_tables_too(pool: PgPool) {
    let server = Server::new(pool).await;
    let batch = samples();
    server.upload(&batch).await;
    let newest_first: Vec<_> = batch.iter().rev().map(|it| it["id"].clone()).collect();
    let ids = async |query: &str| -> Vec<Value> {
        let (status, text) = server.get(&format!("/v1/samples?format=csv{query}")).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let mut reader = csv::Reader::from_reader(text.as_str().unwrap().as_bytes());
        let column = reader.headers().unwrap().iter().position(|it| it == "id");
        let rows = reader.records().map(Result::unwrap);
        rows.map(|row| json!(row[column.unwrap()])).collect()
    };
    assert_eq!(ids("").await, newest_first);
    assert_eq!(ids("&limit=5").await, newest_first[..5]);
    // The last row's id is the cursor of what follows.
    let next = newest_first[4].as_str().unwrap();
    assert_eq!(
        ids(&format!("&limit=5&cursor={next}")).await,
        newest_first[5..10]
    );
    assert_eq!(ids("&limit=1000").await.len(), 24);
    let (status, problem) = server.get("/v1/samples?format=csv&limit=1001").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(problem["errors"][0]["field"], "limit");
}

fn bears(sample: &Value, flag: &str) -> bool {
    let flags = sample["flags"].as_array();
    flags.is_some_and(|flags| flags.contains(&json!(flag)))
}

/// Samples of series of very different lengths.
fn uneven_batch() -> Vec<Value> {
    let mut batch = Vec::new();
    for place in 0..150_u32 {
        // One workload in seven is measured most of the time; ids and times are in different orders.
        let often = place % 3 != 0;
        let mut it = if often {
            sample(0, 0)
        } else {
            sample(place % 5, place % 4)
        };
        it["measured_at"] = json!(format!(
            "2026-11-{:02}T12:{:02}:00Z",
            1 + place * 7 % 20,
            place % 60
        ));
        it["device"]["name"] = json!(if place % 11 == 0 { "rare" } else { "usual" });
        it["origin"] = json!(if place < 9 { "shipped" } else { "measured" });
        it["flags"] = match place % 8 {
            0 => json!(["outliers"]),
            1 => json!(["throttled", "outliers"]),
            _ => json!([]),
        };
        batch.push(it);
    }
    batch
}

/// Listings are merged from series of very different lengths.
#[sqlx::test(migrations = "../migrations")]
async fn pages_of_a_filter_are_all_that_it_lets_through_in_order(pool: PgPool) {
    let server = Server::new(pool).await;
    // Whether a sample is judged yet is not to change between two pages.
    server.stop_fitting();
    let batch = uneven_batch();
    server.upload(&batch).await;
    let all = server.items("/v1/samples?limit=1000").await;
    // Ids of version 7 sort by time; the newest comes first.
    let sent = batch.iter().rev().map(|it| &it["id"]);
    assert!(all.iter().map(|it| &it["id"]).eq(sent));
    let (rare, usual) = (server.device("rare").await, server.device("usual").await);
    type Filter = fn(&Value) -> bool;
    let filters: [(String, Filter); 15] = [
        (String::new(), |_| true),
        ("device=999".into(), |_| false),
        (format!("device={rare}"), |it| {
            it["device"]["name"] == "rare"
        }),
        ("kernel=kernel_0".into(), |it| {
            it["workload"]["kernel"] == "kernel_0"
        }),
        ("variant=local".into(), |it| {
            it["workload"]["variant"] == "local"
        }),
        ("origin=shipped".into(), |it| it["origin"] == "shipped"),
        (
            format!("device={usual}&kernel=kernel_0&variant=global"),
            |it| {
                it["device"]["name"] == "usual"
                    && it["workload"]["kernel"] == "kernel_0"
                    && it["workload"]["variant"] == "global"
            },
        ),
        ("origin=imported".into(), |_| false),
        ("standing=sound".into(), |it| it["origin"] == "shipped"),
        ("standing=unjudged&variant=local".into(), |it| {
            it["origin"] == "measured" && it["workload"]["variant"] == "local"
        }),
        ("standing=rejected".into(), |_| false),
        ("flag=outliers".into(), |it| bears(it, "outliers")),
        ("flag=throttled&kernel=kernel_0".into(), |it| {
            bears(it, "throttled") && it["workload"]["kernel"] == "kernel_0"
        }),
        ("flag=outliers&standing=sound".into(), |it| {
            bears(it, "outliers") && it["origin"] == "shipped"
        }),
        ("flag=shared".into(), |_| false),
    ];
    for (query, filter) in filters {
        let expected: Vec<&Value> = all.iter().filter(|it| filter(it)).collect();
        // A last page may be full.
        for limit in [1, 4, 7, 50, 1000] {
            let path = format!("/v1/samples?limit={limit}&{query}");
            let page_items = server.pages(&path).await;
            assert_eq!(
                page_items.iter().collect::<Vec<_>>(),
                expected,
                "{query}, {limit} a page"
            );
        }
    }

    let mut of_kernel: Vec<&Value> = all
        .iter()
        .filter(|it| it["workload"]["kernel"] == "kernel_0")
        .collect();
    let newest_first = |it: &&Value| (it["measured_at"].to_string(), it["id"].to_string());
    of_kernel.sort_by_key(newest_first);
    let expected: Vec<&Value> = of_kernel.iter().rev().map(|it| &it["id"]).collect();
    for limit in [1, 4, 7, 1000] {
        let path = format!("/v1/kernels/kernel_0/history?limit={limit}");
        let page_items = server.pages(&path).await;
        assert_eq!(
            page_items
                .iter()
                .map(|it| &it["sample"])
                .collect::<Vec<_>>(),
            expected,
            "{limit} a page"
        );
    }
}
