import type { ChannelType } from '../../core/channels/types/channel-type.ts'
import { CHANNEL_TYPES } from '../../core/channels/types/types.ts'
import { UNSERVED_KINDS } from '../../core/channels/types/unserved-types.ts'
import { textIn } from '../../core/messages/texts.ts'

const ALL = CHANNEL_TYPES.find(({ slug }) => slug === 'openai')?.operations ?? []

const INTRODUCTION = `# Channel types

For setup and examples, see [channels.md](channels.md). \`npm run generate\` writes this page.

- **type**: the number is the API field \`type\`, the word the flag \`--type\` of \`tollgate channel add\`.
- **key**: its form; and the meaning of the field \`other\`, if the type uses it.
- **serves**: operations. _All_ means ${ALL.join(', ')}.
- **native**: formats that pass unchanged, the preferred one first. Other formats are translated. An empty cell
  means that the vendor has its own format.
- **reads**: what the gateway can query: the vendor's list of models, the balance of the account.
`

const HEAD = ['type', 'base URL', 'key', 'serves', 'native', 'reads']

const nameOf = ({ type, slug, name }: ChannelType) => `${type} \`${slug}\` ${name}`

function row(type: ChannelType): string[] {
  return [
    nameOf(type),
    addressOf(type),
    [textIn('en', type.keyFormat), otherOf(type)].filter(Boolean).join('. '),
    servedOf(type),
    type.dialects.join(', '),
    readsOf(type),
  ]
}

function addressOf({ completeUrl, baseUrl, baseUrlRequired, compatibleUrl }: ChannelType): string {
  if (completeUrl) return 'required: the whole address'
  if (baseUrlRequired) return 'required'
  const address = baseUrl ? `\`${baseUrl}\`` : 'by region'
  return compatibleUrl ? `${address}, \`${compatibleUrl}\`` : address
}

function otherOf({ other, otherDefault }: ChannelType): string {
  if (!other) return ''
  const text = `\`other\`: ${textIn('en', other)}`
  return otherDefault ? `${text}; default \`${otherDefault}\`` : text
}

const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

const servedOf = (type: ChannelType) =>
  type.operations === ALL ? 'all' : [...type.operations, ...(type.tasks ? [type.tasks] : [])].join(', ')

const readsOf = ({ modelList, balance }: ChannelType) =>
  [modelList && 'models', balance && 'balance'].filter(Boolean).join(', ')

const retiredLine = (type: ChannelType) =>
  `- ${nameOf(type)}: ${addressOf(type)}; ${servedOf(type)}; ${type.dialects.join(', ')}; ${readsOf(type)}`

/** Returns the text of docs/channel-types.md. */
export function channelTypesPage(): string {
  const unserved = UNSERVED_KINDS.map(
    ({ type, name, retired }) => `- ${type} ${name}: ${textIn('en', `reason.${retired}`)}`,
  ).join('\n')
  const offered = CHANNEL_TYPES.filter(({ hidden }) => !hidden)
  const retired = CHANNEL_TYPES.filter(({ hidden }) => hidden)
  return [
    INTRODUCTION,
    ...[HEAD, HEAD.map(() => '---'), ...offered.map(row)].map(line),
    '\n## Retired resellers\n',
    'Only imported channels have these types; their keys are API keys. Lines show base URL, serves, native, reads.\n',
    ...retired.map(retiredLine),
    '\n## Types that the relay does not serve\n',
    `${unserved}\n`,
  ].join('\n')
}
