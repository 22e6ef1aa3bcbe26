import { type Static, Type } from 'typebox'
import { choice } from '../choice.ts'
import { LIMIT_ACTIONS, LIMIT_MEASURES, LIMIT_PERIODS, LIMIT_SUBJECTS } from '../limits/limit.ts'
import { GIVEN_ROLES } from '../teams/team.ts'
import { SECTIONS } from './sections.ts'

const Name = (max: number) => Type.String({ minLength: 1, maxLength: max })
const strict = { additionalProperties: false } as const
const optionalText = (description: string) => Type.Optional(Type.String({ description }))
const optionalRatio = (description: string) => Type.Optional(Type.Number({ minimum: 0, description }))

/** A price by use, or per call. Without a field, the model's default price applies. */
export const PriceDefinition = Type.Object(
  {
    ratio: optionalRatio('ModelRatio: 1 is 2 dollars per million prompt tokens'),
    completion: optionalRatio('CompletionRatio'),
    cache: optionalRatio('CacheRatio: cached prompt tokens'),
    cache_write: optionalRatio('CacheWriteRatio'),
    per_call: optionalRatio('ModelPrice: dollars per call, instead of a ratio'),
    output_tokens_max: Type.Optional(Type.Integer({ minimum: 0, description: 'OutputTokensMax: longest reply' })),
  },
  { ...strict, description: 'price of a model' },
)

export const GroupDefinition = Type.Object(
  {
    ratio: Type.Number({ minimum: 0, description: 'GroupRatio: price multiplier' }),
    description: optionalText('UserUsableGroups: with it, all users may choose the group'),
    topup_ratio: optionalRatio('TopupGroupRatio: price multiplier of top-ups'),
    debt: Type.Optional(
      Type.Integer({ minimum: 0, description: 'GroupDebtLimit: quota that each user of the group may owe' }),
    ),
  },
  { ...strict, description: 'group of users' },
)

export const ChannelDefinition = Type.Object(
  {
    type: Type.Union([Type.String(), Type.Integer()], {
      description: 'a word or number that `tollgate channel types` lists',
    }),
    key: optionalText('env:NAME, file:PATH or command:LINE; omitted: unchanged. Plain text causes a warning'),
    models: Type.Optional(Type.Array(Name(255), { minItems: 1, uniqueItems: true })),
    groups: Type.Optional(Type.Array(Name(64), { minItems: 1, uniqueItems: true })),
    enabled: Type.Optional(Type.Boolean()),
    base_url: Type.Optional(Type.String()),
    other: optionalText('the meaning depends on the type'),
    model_mapping: Type.Optional(Type.Record(Type.String(), Type.String())),
    status_code_mapping: Type.Optional(Type.Record(Type.String(), Type.String())),
    priority: Type.Optional(Type.Integer()),
    weight: Type.Optional(Type.Integer({ minimum: 0 })),
    tag: Type.Optional(Type.String()),
    test_model: Type.Optional(Type.String()),
    organization: Type.Optional(Type.String()),
    auto_ban: Type.Optional(Type.Boolean()),
    setting: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'docs/channels.md' })),
  },
  { ...strict, description: 'upstream account' },
)

/** Omitted fields stay unchanged. A new team needs an `owner`. */
export const TeamDefinition = Type.Object(
  {
    owner: Type.Optional(Type.String({ minLength: 1, description: 'user name; required for a new team' })),
    group: Type.Optional(Name(64)),
    enabled: Type.Optional(Type.Boolean({ description: 'false: its keys are rejected' })),
    members: Type.Optional(
      Type.Record(Type.String(), choice(GIVEN_ROLES, 'role'), {
        description: 'roles by user name, without the owner; --prune removes other members and their keys',
      }),
    ),
  },
  { ...strict, description: 'team; members must be users of the gateway' },
)

/** A limit. Each subject has at most one limit of the same measure and period. */
export const LimitDefinition = Type.Object(
  {
    subject: choice(LIMIT_SUBJECTS, 'kind of subject'),
    name: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'name of the user, token, group, model or channel; an address; for a member, the user; * means each subject',
    }),
    user: optionalText('for a token: user name of its owner'),
    team: optionalText('for a token or member: name of the team'),
    channel_key: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1 }), Type.String()], {
        description: 'for a channel-key: its position from 1, or its digest, as tollgate limit list shows it',
      }),
    ),
    measure: choice(LIMIT_MEASURES, 'what is counted; 500000 quota are one US dollar'),
    period: Type.Optional(choice(LIMIT_PERIODS, 'length of a window; omitted for concurrent')),
    amount: Type.Integer({ minimum: 1, description: 'maximum per window' }),
    time_zone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'IANA name; with it, windows follow the calendar of this time zone instead of rolling',
      }),
    ),
    action: Type.Optional(choice(LIMIT_ACTIONS, 'action for a request above the limit; default: reject')),
    wait_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 300, description: 'for queue: the maximum wait' })),
  },
  { ...strict, description: 'limit' },
)

/** A credential of a user for parts of the management API. */
export const ManagementKeyDefinition = Type.Object(
  {
    user: Type.String({ minLength: 1, description: 'user name of its owner' }),
    name: Name(64),
    key: optionalText(
      'env:NAME, file:PATH or command:LINE; tgm_ and 40 to 128 random letters and digits. Required for a new key',
    ),
    scopes: Type.Array(Type.String(), { minItems: 1, uniqueItems: true, description: 'such as codes:create' }),
    quota_max: Type.Optional(
      Type.Integer({ minimum: 0, description: 'maximum quota that the key may grant in total; omitted: unlimited' }),
    ),
    expires_at: optionalText('date, or date and time with its zone (ISO 8601); omitted: never'),
  },
  { ...strict, description: 'management key' },
)

export type TeamDefinition = Static<typeof TeamDefinition>
export type LimitDefinition = Static<typeof LimitDefinition>
export type ManagementKeyDefinition = Static<typeof ManagementKeyDefinition>

/** The configuration of a gateway in a file. Entries are identified by names. An omitted section is not managed. */
export const ConfigurationDocument = Type.Object(
  {
    version: Type.Literal(1),
    options: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([
          Type.String(),
          Type.Number(),
          Type.Boolean(),
          Type.Array(Type.Unknown()),
          Type.Record(Type.String(), Type.Unknown()),
        ]),
        { description: 'options by name; secret ones as env:NAME, file:PATH or command:LINE' },
      ),
    ),
    groups: Type.Optional(Type.Record(Type.String(), GroupDefinition)),
    prices: Type.Optional(Type.Record(Type.String(), PriceDefinition)),
    channels: Type.Optional(Type.Record(Type.String(), ChannelDefinition)),
    teams: Type.Optional(Type.Record(Type.String(), TeamDefinition)),
    limits: Type.Optional(Type.Array(LimitDefinition)),
    management_keys: Type.Optional(Type.Array(ManagementKeyDefinition)),
  },
  { ...strict, title: 'Tollgate configuration' },
)
export type ConfigurationDocument = Static<typeof ConfigurationDocument>

const { key: _, ...PUBLIC_FIELDS } = ManagementKeyDefinition.properties

/** An exported document, whose secrets are references. */
export const ConfigurationExport = Type.Object({
  ...ConfigurationDocument.properties,
  channels: Type.Optional(
    Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
      description: 'as in a document; the key is a reference',
    }),
  ),
  management_keys: Type.Optional(Type.Array(Type.Object(PUBLIC_FIELDS))),
})
export type ConfigurationExport = Static<typeof ConfigurationExport>

/** The change of one entry. Values of secrets are never shown. */
export const ConfigurationChange = Type.Object(
  {
    section: Type.Enum([...SECTIONS]),
    name: Type.String(),
    action: Type.Enum(['create', 'update', 'delete']),
    fields: Type.Array(
      Type.Object({
        field: Type.String(),
        before: Type.Optional(Type.Unknown({ description: 'absent if the field was not set' })),
        after: Type.Optional(Type.Unknown({ description: 'absent if the field will be removed' })),
      }),
    ),
    version: Type.String({
      description: 'digest of the current entry; the change is only applied while the entry has this digest',
    }),
    wanted: Type.String({
      description: 'digest of the new entry; the change is only applied if the document has this entry',
    }),
    in_use: Type.Optional(
      Type.Object(
        { users: Type.Integer(), teams: Type.Integer(), tokens: Type.Integer() },
        {
          description:
            'for a deleted group: how many users, teams and tokens are in it; their requests will be rejected',
        },
      ),
    ),
  },
  { title: 'ConfigurationChange' },
)
export type ConfigurationChange = Static<typeof ConfigurationChange>

export const ConfigurationPlan = Type.Object(
  {
    document: Type.String({ description: 'digest of the document; the plan is only valid for this document' }),
    changes: Type.Array(ConfigurationChange),
  },
  { title: 'ConfigurationPlan' },
)
export type ConfigurationPlan = Static<typeof ConfigurationPlan>
