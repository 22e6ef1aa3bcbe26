import { type Static, Type } from 'typebox'
import { SECTIONS } from './sections.ts'

const Name = (max: number) => Type.String({ minLength: 1, maxLength: max })
const strict = { additionalProperties: false } as const

/** A price by use, or per call. What is left out has no entry, so that the price list decides. */
export const PriceDefinition = Type.Object(
  {
    ratio: Type.Optional(
      Type.Number({ minimum: 0, description: 'ModelRatio: 1 is 2 dollars per million prompt tokens' }),
    ),
    completion: Type.Optional(Type.Number({ minimum: 0, description: 'CompletionRatio' })),
    cache: Type.Optional(Type.Number({ minimum: 0, description: 'CacheRatio: cached prompt tokens' })),
    cache_write: Type.Optional(Type.Number({ minimum: 0, description: 'CacheWriteRatio' })),
    per_call: Type.Optional(
      Type.Number({ minimum: 0, description: 'ModelPrice: dollars per call, instead of a ratio' }),
    ),
    output_tokens_max: Type.Optional(Type.Integer({ minimum: 0, description: 'OutputTokensMax: longest reply' })),
  },
  { ...strict, description: 'price of a model' },
)

export const GroupDefinition = Type.Object(
  {
    ratio: Type.Number({ minimum: 0, description: 'GroupRatio: price multiplier' }),
    description: Type.Optional(
      Type.String({ description: 'UserUsableGroups: with it, everybody may choose the group' }),
    ),
    topup_ratio: Type.Optional(
      Type.Number({ minimum: 0, description: 'TopupGroupRatio: price multiplier of top-ups' }),
    ),
  },
  { ...strict, description: 'group of users' },
)

/** Limits of a group. */
export const LimitDefinition = Type.Object(
  { debt: Type.Integer({ minimum: 0, description: 'GroupDebtLimit: quota that each of its users may owe' }) },
  { ...strict, description: 'limits of a group' },
)

export const ChannelDefinition = Type.Object(
  {
    type: Type.Union([Type.String(), Type.Integer()], {
      description: 'provider, by word or number: tollgate channel types',
    }),
    key: Type.Optional(
      Type.String({
        description: 'env:NAME, file:PATH or command:LINE; left out: as it is. In clear text it is warned of',
      }),
    ),
    models: Type.Optional(Type.Array(Name(255), { minItems: 1, uniqueItems: true })),
    groups: Type.Optional(Type.Array(Name(64), { minItems: 1, uniqueItems: true })),
    enabled: Type.Optional(Type.Boolean()),
    base_url: Type.Optional(Type.String()),
    other: Type.Optional(Type.String({ description: 'what it means depends on the type' })),
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

/** A gateway as a file describes it. Each section is keyed by natural names; one that is left out is not managed. */
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
        {
          description: 'options by name; secret ones as env:NAME, file:PATH or command:LINE',
        },
      ),
    ),
    groups: Type.Optional(Type.Record(Type.String(), GroupDefinition)),
    limits: Type.Optional(Type.Record(Type.String(), LimitDefinition)),
    prices: Type.Optional(Type.Record(Type.String(), PriceDefinition)),
    channels: Type.Optional(Type.Record(Type.String(), ChannelDefinition)),
  },
  { ...strict, title: 'Tollgate configuration' },
)
export type ConfigurationDocument = Static<typeof ConfigurationDocument>

/** What is exported: a document whose secrets are references. */
export const ConfigurationExport = Type.Object({
  ...ConfigurationDocument.properties,
  channels: Type.Optional(
    Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
      description: 'as in a document; the credential is a reference',
    }),
  ),
})

/** One thing that a file describes, and what becomes of it. Values of secrets are never shown. */
export const ConfigurationChange = Type.Object({
  section: Type.Enum([...SECTIONS]),
  name: Type.String(),
  action: Type.Enum(['create', 'update', 'delete']),
  fields: Type.Array(
    Type.Object({
      field: Type.String(),
      before: Type.Optional(Type.Unknown({ description: 'absent where there was none' })),
      after: Type.Optional(Type.Unknown({ description: 'absent where there will be none' })),
    }),
  ),
  version: Type.String({ description: 'of what is there: a change is made only while it is still this' }),
})
export type ConfigurationChange = Static<typeof ConfigurationChange>

export const ConfigurationPlan = Type.Object({ changes: Type.Array(ConfigurationChange) })
export type ConfigurationPlan = Static<typeof ConfigurationPlan>
