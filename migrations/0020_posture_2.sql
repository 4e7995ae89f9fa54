-- migration: expands
-- Scores of the model posture-2 (docs/scoring.md): likelihoods in billionths, and the exact sums that groups are made of.
-- A row of posture-1 has `likelihood`, and none of the new columns; a row of posture-2 has them, and no `likelihood`.
-- Sums of groups contain rows of both while a partition is scored again after a switch.

alter table asset_scores
  add column model text not null default 'posture-1',
  add column likelihood_low integer,
  add column likelihood_best integer,
  add column likelihood_high integer;

alter table score_history
  add column model text not null default 'posture-1',
  add column likelihood_low integer,
  add column likelihood_best integer,
  add column likelihood_high integer,
  -- Σ h² of weaknesses, Σ e² of detections, Σ (h × i)²; hazards in 10⁻¹⁰, impact in hundredths.
  add column forecast numeric,
  add column evidence_low numeric,
  add column evidence_best numeric,
  add column evidence_high numeric,
  add column weighted numeric;

-- Of rows of posture-2.
alter table score_sums
  -- Σ of likelihoods in billionths.
  add column compromised_low bigint not null default 0,
  add column compromised_best bigint not null default 0,
  add column compromised_high bigint not null default 0,
  add column forecast numeric not null default 0,
  add column evidence_low numeric not null default 0,
  add column evidence_best numeric not null default 0,
  add column evidence_high numeric not null default 0;

alter table score_changes
  add column likelihood_best integer,
  add column previous_likelihood_best integer;

alter table scored_partitions
  -- Log offset of the last act that `choices` were read with; −2: never read.
  add column choices_offset bigint not null default -2,
  -- The models that its scores were computed with, each from an instant on; null: posture-1.
  add column choices jsonb;
