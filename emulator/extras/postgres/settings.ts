/**
 * The settings that clients may give their servers. Only listed ones are allowed, since a setting may load code, run
 * programs or name files.
 */

/** Postgres' own settings that affect nothing outside a server's own data. */
const allowed = new Set(
  `
  DateStyle IntervalStyle TimeZone bytea_output client_encoding client_min_messages default_text_search_config
  extra_float_digits search_path xmlbinary xmloption

  array_nulls backslash_quote check_function_bodies default_statistics_target default_table_access_method
  default_tablespace default_toast_compression default_transaction_deferrable default_transaction_isolation
  default_transaction_read_only escape_string_warning gin_fuzzy_search_limit gin_pending_list_limit
  lo_compat_privileges password_encryption quote_all_identifiers row_security session_replication_role
  standard_conforming_strings synchronize_seqscans temp_tablespaces transform_null_equals

  deadlock_timeout idle_in_transaction_session_timeout idle_session_timeout lock_timeout statement_timeout
  tcp_keepalives_count tcp_keepalives_idle tcp_keepalives_interval tcp_user_timeout transaction_timeout
  client_connection_check_interval authentication_timeout

  effective_cache_size effective_io_concurrency hash_mem_multiplier logical_decoding_work_mem
  maintenance_io_concurrency maintenance_work_mem max_files_per_process max_locks_per_transaction
  max_notify_queue_pages max_pred_locks_per_page max_pred_locks_per_relation max_pred_locks_per_transaction
  max_prepared_transactions max_stack_depth temp_buffers temp_file_limit vacuum_buffer_usage_limit wal_buffers
  work_mem

  max_parallel_maintenance_workers max_parallel_workers max_parallel_workers_per_gather max_worker_processes
  max_logical_replication_workers max_replication_slots max_sync_workers_per_subscription

  constraint_exclusion cpu_index_tuple_cost cpu_operator_cost cpu_tuple_cost cursor_tuple_fraction
  from_collapse_limit geqo geqo_effort geqo_generations geqo_pool_size geqo_seed geqo_selection_bias
  geqo_threshold jit jit_above_cost jit_expressions jit_inline_above_cost jit_optimize_above_cost
  jit_tuple_deforming join_collapse_limit
  min_parallel_index_scan_size min_parallel_table_scan_size parallel_leader_participation parallel_setup_cost
  parallel_tuple_cost plan_cache_mode random_page_cost recursive_worktable_factor seq_page_cost
  enable_async_append enable_bitmapscan enable_distinct_reordering enable_gathermerge enable_group_by_reordering
  enable_hashagg enable_hashjoin enable_incremental_sort enable_indexonlyscan enable_indexscan enable_material
  enable_memoize enable_mergejoin enable_nestloop enable_parallel_append enable_parallel_hash
  enable_partition_pruning enable_partitionwise_aggregate enable_partitionwise_join enable_presorted_aggregate
  enable_self_join_elimination enable_seqscan enable_sort enable_tidscan

  autovacuum autovacuum_analyze_scale_factor autovacuum_analyze_threshold autovacuum_freeze_max_age
  autovacuum_max_workers autovacuum_multixact_freeze_max_age autovacuum_naptime autovacuum_vacuum_cost_delay
  autovacuum_vacuum_cost_limit autovacuum_vacuum_insert_scale_factor autovacuum_vacuum_insert_threshold
  autovacuum_vacuum_max_threshold autovacuum_vacuum_scale_factor autovacuum_vacuum_threshold
  autovacuum_work_mem vacuum_cost_delay vacuum_cost_limit vacuum_cost_page_dirty vacuum_cost_page_hit
  vacuum_cost_page_miss vacuum_failsafe_age vacuum_freeze_min_age vacuum_freeze_table_age
  vacuum_multixact_failsafe_age vacuum_multixact_freeze_min_age vacuum_multixact_freeze_table_age
  vacuum_truncate

  backend_flush_after bgwriter_delay bgwriter_flush_after bgwriter_lru_maxpages bgwriter_lru_multiplier checkpoint_completion_target
  checkpoint_flush_after checkpoint_timeout checkpoint_warning commit_delay commit_siblings max_wal_size
  min_wal_size synchronous_commit wal_compression wal_writer_delay wal_writer_flush_after
  max_slot_wal_keep_size max_standby_archive_delay max_standby_streaming_delay hot_standby_feedback
  wal_sender_timeout

  application_name compute_query_id debug_pretty_print debug_print_parse debug_print_plan
  debug_print_rewritten log_autovacuum_min_duration log_checkpoints log_connections log_disconnections
  log_duration log_error_verbosity log_executor_stats log_lock_waits log_min_duration_sample
  log_min_duration_statement log_min_error_statement log_min_messages log_parameter_max_length
  log_parameter_max_length_on_error log_parser_stats log_planner_stats log_recovery_conflict_waits
  log_statement log_statement_sample_rate log_statement_stats log_temp_files log_timezone
  log_transaction_sample_rate stats_fetch_consistency track_activities track_activity_query_size track_commit_timestamp
  track_cost_delay_timing track_counts track_functions track_io_timing track_wal_io_timing
  `
    .trim()
    .toLowerCase()
    .split(/\s+/),
);

/**
 * A name with a prefix, such as `app.token`, belongs to a program. Names that begin with `pl` belong to languages, and
 * `plperl.on_init` is code.
 */
const ownName = /^(?!pl(?!pgsql\.))[a-z_][\w$]*\.[a-z_][\w$]*$/i;

// Includes every character that a terminal or a configuration file reads as the end of a line.
const unprintable = /[\p{Cc}\u2028\u2029]/u;

/** Why clients may not set some of these settings, as a sentence that names one; undefined if they may set all. */
export function refusalOf(pgSettings: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(pgSettings)) {
    const shown = JSON.stringify(name).slice(1, -1);
    if (!allowed.has(name.toLowerCase()) && !ownName.test(name))
      return `pg_settings.${shown} cannot be set: it is not in the list of settings that are safe on this machine. Remove it.`;
    if (!["string", "number", "boolean"].includes(typeof value))
      return `pg_settings.${shown} must be a text, a number, true or false.`;
    if (unprintable.test(String(value)))
      return `pg_settings.${shown} has a line break or another control character. Remove it.`;
  }
  return undefined;
}
