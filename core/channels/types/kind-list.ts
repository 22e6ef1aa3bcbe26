import { type Static, Type } from 'typebox'
import type { Language } from '../../messages/language.ts'
import { textIn } from '../../messages/texts.ts'
import type { ChannelType } from './channel-type.ts'
import { type FieldTextId, kindName } from './kind-texts.ts'
import { CHANNEL_TYPES } from './types.ts'
import { UNSERVED_KINDS, type UnservedKind } from './unserved-types.ts'

/** A kind of channel, for the channel editor. */
export const ChannelKind = Type.Object(
  {
    type: Type.Integer(),
    name: Type.String(),
    slug: Type.String({ description: 'name on the command line; empty if the relay does not serve the kind' }),
    offered: Type.Boolean({ description: 'recommended for new channels' }),
    retired: Type.String({ description: 'reason why the relay does not serve the kind; empty for a served kind' }),
    base_url: Type.String({ description: 'default base URL; empty if there is none' }),
    base_url_required: Type.Boolean(),
    base_url_name: Type.String({ description: "the vendor's term for the address, if any" }),
    base_url_example: Type.String(),
    complete_url: Type.Boolean({
      description: 'the base URL is the complete endpoint; {model} in it is replaced by the model name',
    }),
    key_format: Type.String(),
    key_document: Type.Boolean({ description: 'the key may be a JSON document' }),
    other_name: Type.String({ description: 'label of the field `other`; empty if the kind does not use the field' }),
    other: Type.String({ description: 'description of the field `other`' }),
    other_default: Type.String({ description: 'default value of the field `other`' }),
    other_required: Type.Boolean(),
    organization: Type.Boolean({ description: 'the relay sends openai_organization to the upstream' }),
    model_list: Type.Boolean({ description: 'the gateway can fetch the list of models from the upstream' }),
    models: Type.Array(Type.String(), { description: 'the default models of a new channel' }),
  },
  { title: 'ChannelKind' },
)
export type ChannelKind = Static<typeof ChannelKind>

/** Returns all kinds of the documented API, sorted by number, with texts in one language. */
export function listKinds(language: Language): ChannelKind[] {
  const served = CHANNEL_TYPES.map((row) => servedKind(row, language))
  const unserved = UNSERVED_KINDS.map((row) => unservedKind(row, language))
  return [...served, ...unserved].sort((a, b) => a.type - b.type)
}

/** Returns a kind that the relay does not serve. Sets `key_format` and `base_url`, for edits of channels. */
function unservedKind(row: UnservedKind, language: Language): ChannelKind {
  const kind = servedKind({ ...row, slug: '', keyFormat: 'channelField.apiKey', hidden: true }, language)
  return { ...kind, retired: textIn(language, `reason.${row.retired}`) }
}

type KindRow = Omit<ChannelType, 'family' | 'tasks' | 'operations' | 'dialects'>

function servedKind(row: KindRow, language: Language): ChannelKind {
  const textOf = (id: FieldTextId | undefined) => (id === undefined ? '' : textIn(language, id))
  return {
    type: row.type,
    name: kindName(row, language),
    slug: row.slug,
    offered: !row.hidden,
    retired: '',
    base_url: row.baseUrl,
    base_url_required: row.baseUrlRequired ?? false,
    base_url_name: row.baseUrlName ?? '',
    base_url_example: row.baseUrlExample ?? '',
    complete_url: row.completeUrl ?? false,
    key_format: textOf(row.keyFormat),
    key_document: row.keyDocument ?? false,
    other_name: textOf(row.otherName),
    other: textOf(row.other),
    other_default: row.otherDefault ?? '',
    other_required: row.otherRequired ?? false,
    organization: row.organization ?? false,
    model_list: row.modelList !== undefined,
    models: [...row.models],
  }
}
