/*
 * Values of the dashboard's query. They are in a separate file, so that the command line can load them without the
 * schemas.
 */
export const GROUPINGS = ['model', 'user', 'token', 'channel', 'group'] as const
/** The groupings of a team's relays. */
export const TEAM_GROUPINGS = ['model', 'member', 'token', 'group'] as const
export type TeamGrouping = (typeof TEAM_GROUPINGS)[number]
export type Grouping = (typeof GROUPINGS)[number] | TeamGrouping
export const METRICS = ['quota', 'count', 'tokens'] as const
export type Metric = (typeof METRICS)[number]
