import { type Static, Type } from 'typebox'
import { Log } from '../schema.ts'
import { GROUPINGS, type Grouping, TEAM_GROUPINGS } from './groupings.ts'

const Count = Type.Integer()
const Ms = Type.Integer({ description: 'milliseconds, with an error of at most 5 %; -1 if not measured' })

const TOTALS = {
  count: Type.Integer({ description: 'charged relays' }),
  quota: Count,
  tokens: Type.Integer({ description: 'prompt and completion tokens' }),
  ok: Type.Integer({ description: 'completed replies' }),
  failed: Type.Integer({ description: 'failures, without those of clients that disconnected' }),
  latency_p50: Ms,
  latency_p95: Ms,
  first_token_p50: Ms,
  first_token_p95: Ms,
}
/** The sums of the relays of a period. */
export const UsageTotals = Type.Object(TOTALS, { title: 'UsageTotals' })
export type UsageTotals = Static<typeof UsageTotals>

const Group = Type.Object(
  {
    name: Type.String({
      description: 'name of a model or group, or id of a user, member, token or channel; empty: all others together',
    }),
    label: Type.String({ description: 'the current name of a user, token or channel' }),
    count: Count,
    quota: Count,
    tokens: Count,
    ok: Count,
    failed: Count,
    latency_p95: Ms,
  },
  { title: 'UsageGroup' },
)
export type UsageGroup = Static<typeof Group>

/** The data of the console's dashboard. */
export const Dashboard = Type.Object(
  {
    start: Type.Integer({ description: 'unix seconds: the start of an hour' }),
    end: Type.Integer({ description: 'unix seconds' }),
    counted_until: Type.Integer({
      description: 'unix seconds up to which success, latency, errors and all groups except models are counted',
    }),
    sampled: Type.Boolean({
      description:
        'for a user or team with very many relays: success, latency, errors, keys and members cover the newest 10 000',
    }),
    account: Type.Object(
      { quota: Count, used_quota: Count, request_count: Count },
      { description: "the user's account" },
    ),
    rpm: Count,
    tpm: Count,
    totals: UsageTotals,
    compared: Type.Object(TOTALS, { description: 'like totals, without the current hour' }),
    previous: Type.Object(TOTALS, { description: 'like compared, for the previous period of equal length' }),
    errors: Type.Array(Type.Object({ code: Type.String(), count: Count }), { description: 'the most frequent first' }),
    by: Type.Unsafe<Grouping>({ type: 'string', enum: [...new Set([...GROUPINGS, ...TEAM_GROUPINGS])] }),
    groups: Type.Array(Group, { description: 'the largest by the metric, and one for all others' }),
    group_count: Type.Integer({ description: 'number of groups that are combined as all others' }),
    series: Type.Array(
      Type.Object({
        hour: Type.Integer({ description: 'start of the hour, unix seconds' }),
        group: Type.Integer({ description: 'index in groups' }),
        count: Count,
        quota: Count,
        tokens: Count,
      }),
      { description: 'hours with data of a group' },
    ),
    users: Type.Array(Group, { description: 'for administrators' }),
    members: Type.Array(Group, { description: 'members of a team; for its owner and admins' }),
    tokens: Type.Array(Group),
    channels: Type.Array(Group, { description: 'for administrators' }),
    newest: Type.Array(Log, { description: 'the newest ten rows' }),
  },
  { title: 'Dashboard' },
)
export type Dashboard = Static<typeof Dashboard>
