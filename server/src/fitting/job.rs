//! Fits after uploads.

use std::{
    error::Error,
    thread::available_parallelism,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use kerncast_training::{Candidate, Lender, Samples, questions, rates::highest};
use kerncast_wire::Facts;
use sqlx::{Acquire, PgConnection, PgPool, Postgres, Transaction};

use super::{
    FittingError, Settings, fit::fit_and_store, gate::judge, memory::hold_memory,
    panics::catch_panic, threads::compute,
};
use crate::db::{
    self,
    fitting::{
        chosen_samples::{self, ChosenSamples},
        fit_key::FitKey,
        highest_rates, inputs,
        jobs::{self, Claim, Job},
    },
};

/// Jobs that are done side by side, where there is memory for them.
const MOST_WORKERS: usize = 4;
/// Pause between two looks for jobs. A look is one query of a small table.
const LOOK_PAUSE: Duration = Duration::from_millis(250);
/// A fit waits for uploads to pause for at most so many of these pauses.
const MOST_PAUSES: u32 = 20;
/// Pause before the database is asked again where it has failed.
const RECOVERY_PAUSE: Duration = Duration::from_secs(10);

/// Does jobs for ever, some side by side. Dropped at any moment it leaves each job done or untouched.
pub async fn work(pool: PgPool, settings: Settings) {
    // Each keeps a connection, and computes by all processors.
    let at_once = available_parallelism().map_or(1, |it| it.get().min(MOST_WORKERS));
    let workers = (0..at_once).map(|_| do_jobs(&pool, &settings));
    join_all(workers).await;
}

async fn do_jobs(pool: &PgPool, settings: &Settings) {
    loop {
        match do_next(pool, settings).await {
            Ok(true) => {}
            Ok(false) => tokio::time::sleep(LOOK_PAUSE).await,
            Err(error) => {
                tracing::error!(error = &error as &dyn Error, "fitting jobs can't be done");
                tokio::time::sleep(RECOVERY_PAUSE).await;
            }
        }
    }
}

/// What a job has come to.
enum Outcome {
    Fitted,
    /// Fits would have changed nothing.
    Unchanged,
}

/// Does the next job; false where there is none.
async fn do_next(pool: &PgPool, settings: &Settings) -> db::Result<bool> {
    let mut transaction = pool.begin().await?;
    let patience = MOST_PAUSES * settings.pause;
    let job = match jobs::claim(&mut transaction, settings.pause, patience).await? {
        Claim::Job(job) => job,
        Claim::Taken => return Ok(true),
        Claim::Nothing => {
            transaction.rollback().await?;
            return Ok(false);
        }
    };
    do_job(pool, settings, transaction, &job).await?;
    Ok(true)
}

/// Does `job`, which `transaction` has claimed.
async fn do_job(
    pool: &PgPool,
    settings: &Settings,
    mut transaction: Transaction<'_, Postgres>,
    job: &Job,
) -> db::Result<()> {
    let start = Instant::now();
    // The job stays claimed where its work is taken back: no other worker tries it before its failure is noted.
    let mut work = transaction.begin().await?;
    let result = catch_panic(async {
        let outcome = fit_models(pool, &mut work, job, settings).await?;
        end(&mut work, job).await.map(|()| outcome)
    });
    let error = match result.await {
        Ok(outcome) => {
            work.commit().await?;
            commit_job(pool, settings, transaction, job).await?;
            match outcome {
                Outcome::Fitted => settings.counts.count_fitted(start.elapsed()),
                Outcome::Unchanged => settings.counts.count("unchanged"),
            }
            return Ok(());
        }
        Err(error) => error,
    };
    settings.counts.count("failed");
    tracing::error!(
        device = job.key.device,
        provider = job.key.provider,
        error = &error as &dyn Error,
        "a fitting job failed"
    );
    let Some(why) = failure_reason(&error) else {
        // Whether there is a connection to say so is another question.
        let _ = work.rollback().await;
        let _ = transaction.rollback().await;
        return jobs::postpone(pool, job, "the database failed").await;
    };
    work.rollback().await?;
    jobs::fail(&mut transaction, job, &why).await?;
    Ok(transaction.commit().await?)
}

/// Stores what a job has made; where that fails for good, its failure.
async fn commit_job(
    pool: &PgPool,
    settings: &Settings,
    transaction: Transaction<'_, Postgres>,
    job: &Job,
) -> db::Result<()> {
    let Err(error) = transaction.commit().await.map_err(db::Error::from) else {
        return Ok(());
    };
    settings.counts.count("failed");
    if !error.is_passing() {
        let why = "the fit could not be stored; the server's log says why";
        jobs::fail(&mut *pool.acquire().await?, job, why).await?;
    }
    Err(error)
}

/// What people are told of a failed job; none where nothing is wrong with it and it is tried again.
fn failure_reason(error: &FittingError) -> Option<String> {
    Some(match error {
        FittingError::Database(error) if error.is_passing() => return None,
        FittingError::Database(_) => "the fit failed; the server's log says why".to_owned(),
        FittingError::Task(panic) => format!("a defect, please report it: {panic}"),
        FittingError::Panicked => {
            "a defect, please report it: the server's log says where".to_owned()
        }
    })
}

/// Ends a job, whether or not its fits have changed anything.
async fn end(connection: &mut PgConnection, job: &Job) -> Result<(), FittingError> {
    let key = &job.key;
    if key.counted_on.is_none() {
        jobs::request_fits_across(connection, key.device, &key.provider).await?;
    }
    Ok(jobs::finish(connection, job).await?)
}

/// What another device lends, before the counters' values are read.
struct LentSamples {
    device: i32,
    facts: [&'static Facts; 2],
    chosen: ChosenSamples,
}

impl LentSamples {
    /// What the device borrows for fits to its own counters, where these are of few kernels.
    async fn find(
        connection: &mut PgConnection,
        key: &FitKey,
        own: &ChosenSamples,
    ) -> db::Result<Option<Self>> {
        if key.counted_on.is_some() || !own.has_few_kernels() {
            return Ok(None);
        }
        let lender = chosen_samples::find_lender(connection, key.device, &key.provider).await?;
        let Some((device, facts)) = lender else {
            return Ok(None);
        };
        let lenders_key = FitKey {
            device,
            ..key.clone()
        };
        let chosen = chosen_samples::choose_samples(connection, &lenders_key).await?;
        Ok(Some(Self {
            device,
            facts,
            chosen,
        }))
    }

    async fn read(self, connection: &mut PgConnection) -> db::Result<Lender> {
        Ok(Lender {
            device: self.device.into(),
            samples: self.chosen.read_samples(connection).await?,
            facts: self.facts,
        })
    }
}

/// Judges what has arrived, and fits whatever the new samples may change: every answer to every question.
async fn fit_models(
    pool: &PgPool,
    connection: &mut PgConnection,
    job: &Job,
    settings: &Settings,
) -> Result<Outcome, FittingError> {
    let key = &job.key;
    // Of a pair of devices, both have samples in it.
    let own_provider = key.counted_on.is_none().then_some(&*key.provider);
    judge(pool, key.device, own_provider).await?;
    if let Some(counted_on) = key.counted_on {
        judge(pool, counted_on, None).await?;
    }
    let chosen = chosen_samples::choose_samples(connection, key).await?;
    let lent = LentSamples::find(connection, key, &chosen).await?;
    let input = chosen.digest(lent.as_ref().map(|it| (&it.chosen, it.facts)));
    if inputs::are_fitted(connection, key, &input).await? {
        tracing::debug!(
            device = key.device,
            counted_on = key.counted_on,
            job.provider = key.provider,
            "nothing new to fit"
        );
        return Ok(Outcome::Unchanged);
    }
    let (rows, columns) = chosen.size();
    let more = lent.as_ref().map_or(0, |it| it.chosen.size().0);
    let _memory = hold_memory(rows + more, columns).await;
    let samples = chosen.read_samples(connection).await?;
    let highest = own_provider.map(|it| highest(&samples, it));
    let lender = match lent {
        Some(lent) => Some(lent.read(connection).await?),
        None => None,
    };
    // Many samples, or many counters, take seconds: requests should not wait for them.
    let for_candidates = key.clone();
    let candidates = compute(move || candidates(samples, lender, &for_candidates)).await?;
    fit_and_store(connection, key, candidates, &settings.validations).await?;
    if let Some(highest) = highest {
        highest_rates::replace(connection, key.device, &key.provider, &highest).await?;
    }
    inputs::store(connection, key, &input).await?;
    Ok(Outcome::Fitted)
}

/// Every fit to be made of samples, together with those that are lent.
fn candidates(mut samples: Samples, lender: Option<Lender>, key: &FitKey) -> Vec<Candidate> {
    if let Some(lender) = lender {
        samples.borrow(&lender, &key.provider);
    }
    let counted_on = key.counted_on.map(i64::from);
    let questions = questions(&samples, key.device.into(), counted_on, &key.provider);
    let candidates = questions.iter().flat_map(|it| Candidate::all(it, &samples));
    candidates.collect()
}
