import { kindName } from '../../core/channels/types/kind-texts.ts'
import type { ChannelType } from '../../core/channels/types/types.ts'
import type { Language } from '../../core/messages/language.ts'
import { textIn } from '../../core/messages/texts.ts'
import type { ListedModel } from '../channel-checks.ts'
import type { Column } from '../output/column.ts'

/** A channel type for display, with the data that users need to add a channel. */
interface DisplayedType {
  type: number
  slug: string
  name: string
  key_format: string
  /** Meaning of the field `other`; empty if unused. */
  other: string
  base_url: string
  base_url_required: boolean
  /** Whether new channels can have this type. */
  offered: boolean
  /** Whether the vendor reports the balance of an account. */
  balance: boolean
  /** Whether the vendor lists its models. */
  model_list: boolean
  models: string
}

export function displayedType(type: ChannelType, language: Language): DisplayedType {
  return {
    type: type.type,
    slug: type.slug,
    name: kindName(type, language),
    key_format: textIn(language, type.keyFormat),
    other: type.other === undefined ? '' : textIn(language, type.other),
    base_url: type.baseUrl,
    base_url_required: type.baseUrlRequired ?? false,
    offered: !type.hidden,
    balance: type.balance !== undefined,
    model_list: type.modelList !== undefined,
    models: type.models.join(','),
  }
}

export const TYPE_COLUMNS: readonly Column<DisplayedType>[] = [
  { name: 'type', value: ({ type }) => String(type), align: 'right' },
  { name: 'word', value: ({ slug }) => slug },
  { name: 'name', value: ({ name }) => name, cut: true },
  { name: 'key', value: ({ key_format }) => key_format, cut: true },
  { name: 'other', value: ({ other }) => other || '-', cut: true },
  {
    name: 'base-url',
    value: ({ base_url, base_url_required }, { t }) => base_url || (base_url_required ? t('general.needed') : '-'),
    cut: true,
  },
  { name: 'models', value: ({ models }) => models || '-', detail: true },
]

/** Built-in model names of one channel type. */
interface Preset {
  type: number
  name: string
  /** Model names as a comma list. */
  models: string
}

export const PRESET_COLUMNS: readonly Column<Preset>[] = [
  { name: 'type', value: ({ type }) => String(type), align: 'right' },
  { name: 'name', value: ({ name }) => name },
  { name: 'models', value: ({ models }) => models, cut: true },
]

export const LISTED_COLUMNS: readonly Column<ListedModel>[] = [
  { name: 'model', value: ({ id }) => id, cut: true },
  { name: 'owner', value: ({ owner }) => owner },
]
