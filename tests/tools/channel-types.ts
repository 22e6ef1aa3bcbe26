import type { ChannelType } from '../../core/channels/types/channel-type.ts'
import { CHANNEL_TYPES } from '../../core/channels/types/types.ts'
import { UNSERVED_TYPES } from '../../core/channels/types/unserved-types.ts'
import { textIn } from '../../core/messages/texts.ts'

const INTRODUCTION = `# Channel types

The number in the first column is the value of the API field \`type\`, the word in the second column that of
\`tollgate channel add --type\`. For setup and examples, see [channels.md](channels.md). \`npm run generate\` writes this page.

- **native**: formats that the vendor accepts, the preferred one first. Requests in these formats pass unchanged, others are
  translated. If the column is empty, the vendor has its own format.
- **reads**: what the gateway can query: the vendor's list of models, the balance of the account.
`

const HEAD = ['type', 'word', 'base URL', 'key', '`other`', 'serves', 'native', 'reads']

function row(type: ChannelType): string[] {
  return [
    `${type.type} ${type.name}${type.hidden ? ' (retired reseller: imported channels only)' : ''}`,
    `\`${type.slug}\``,
    addressOf(type),
    textIn('en', type.keyFormat),
    otherOf(type),
    [...type.operations, ...(type.tasks ? [type.tasks] : [])].join(', '),
    type.dialects.join(', '),
    [type.modelList && 'models', type.balance && 'balance'].filter(Boolean).join(', '),
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
  const text = textIn('en', other)
  return otherDefault ? `${text}; default \`${otherDefault}\`` : text
}

const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** Returns the text of docs/channel-types.md. */
export function channelTypesPage(): string {
  const served = [line(HEAD), line(HEAD.map(() => '---')), ...CHANNEL_TYPES.map((type) => line(row(type)))]
  const unserved = UNSERVED_TYPES.map(
    ({ type, name, retired }) => `- ${type} ${name}: ${textIn('en', `reason.${retired}`)}`,
  )
  return [INTRODUCTION, ...served, '', '## Types that the relay does not serve', '', ...unserved, ''].join('\n')
}
