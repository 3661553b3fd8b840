/**
 * Built-in functions of PostgreSQL 18 that only compute from what they are given (or read the clock, chance, or what a
 * schema looks like). The list names what is allowed because the opposite can't be complete: there are some 3,000
 * functions, and among those that read files, run a query given as text, wait, lock, signal other sessions or change settings
 * are names nobody expects (ts_stat, query_to_xml, lo_export, pg_logical_emit_message).
 *
 * Names as the grammar yields them: EXTRACT, SUBSTRING, TRIM, OVERLAY, AT TIME ZONE … are calls of a function too.
 */
export const harmlessFunctions: ReadonlySet<string> = new Set(
  `
  count sum avg min max stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp
  regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
  bool_and bool_or every bit_and bit_or bit_xor any_value mode percentile_cont percentile_disc
  array_agg string_agg json_agg jsonb_agg json_object_agg jsonb_object_agg range_agg range_intersect_agg

  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value

  abs ceil ceiling floor round trunc sign sqrt cbrt exp ln log log10 power pow mod div gcd lcm factorial
  degrees radians pi sin cos tan cot asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc gamma lgamma
  width_bucket scale min_scale trim_scale random random_normal isfinite

  lower upper initcap length char_length character_length octet_length bit_length
  substring substr left right trim btrim ltrim rtrim lpad rpad position strpos overlay replace translate
  reverse repeat concat concat_ws format split_part starts_with string_to_array string_to_table array_to_string
  regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_count regexp_instr
  regexp_like regexp_substr like_escape similar_to_escape ascii chr unistr casefold normalize is_normalized
  quote_ident quote_literal quote_nullable md5 sha224 sha256 sha384 sha512 encode decode to_hex to_bin to_oct
  text get_bit get_byte bit_count parse_ident

  now current_date current_time transaction_timestamp statement_timestamp clock_timestamp timeofday
  extract date_part date_trunc date_bin date_add date_subtract age timezone overlaps
  make_date make_time make_timestamp make_timestamptz make_interval
  to_char to_date to_timestamp to_number justify_days justify_hours justify_interval date float4 float8 int4 int8 numeric

  array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position array_positions
  array_prepend array_remove array_replace array_reverse array_sample array_shuffle array_sort array_upper cardinality
  trim_array unnest generate_series generate_subscripts

  json_array_elements json_array_elements_text json_array_length json_build_array json_build_object json_each
  json_each_text json_extract_path json_extract_path_text json_object json_object_keys json_strip_nulls json_typeof
  json_populate_record json_populate_recordset json_to_record json_to_recordset
  jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each
  jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_keys
  jsonb_path_exists jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set
  jsonb_populate_record jsonb_populate_recordset jsonb_set_lax jsonb_strip_nulls jsonb_to_record jsonb_to_recordset
  jsonb_typeof row_to_json to_json to_jsonb array_to_json

  isempty lower_inc lower_inf upper_inc upper_inf range_merge multirange int4range int8range numrange daterange tsrange
  tstzrange num_nonnulls num_nulls nullif coalesce greatest least

  to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd ts_headline numnode
  querytree strip setweight

  area center diameter height width radius point box circle line lseg path polygon npoints
  abbrev broadcast family host hostmask masklen netmask network set_masklen inet_merge inet_same_family
  gen_random_uuid uuidv4 uuidv7 uuid_extract_timestamp uuid_extract_version

  version current_schema current_schemas pg_typeof pg_size_pretty pg_column_size format_type col_description
  obj_description pg_get_viewdef pg_get_constraintdef pg_get_indexdef pg_get_expr pg_table_is_visible
  pg_collation_for to_regclass to_regtype
  `
    .trim()
    .split(/\s+/),
);
