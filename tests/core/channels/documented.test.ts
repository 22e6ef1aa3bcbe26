import { expect, test } from 'vitest'
import type { ChannelType } from '../../../core/channels/types/channel-type.ts'
import { CHANNEL_TYPES } from '../../../core/channels/types/types.ts'
import { UNSERVED_TYPES } from '../../../core/channels/types/unserved-types.ts'

const INTRODUCTION = `# Channel types

What \`tollgate channel add --type\` and the field \`type\` of the API take. How to set one up, with examples and what is
peculiar to some: [channels.md](channels.md). This page is made from the rows that the program itself reads:
\`npm run types-table\`.

- **native**: formats that the vendor speaks itself, dearest first. Their clients' requests go on as they came; those of
  others are translated. None: the vendor has a format of its own.
- **told**: what the gateway can ask the vendor: which models there are, and what is left in the account.
`

const HEAD = ['type', 'word', 'base URL', 'key', '`other`', 'serves', 'native', 'told']

function row(type: ChannelType): string[] {
  return [
    `${type.type} ${type.name}${type.hidden ? ' (retired reseller: imported channels only)' : ''}`,
    `\`${type.slug}\``,
    addressOf(type),
    type.keyFormat,
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
  return otherDefault ? `${other}; default \`${otherDefault}\`` : other
}

const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** Says which rows the page must have; `npm run types-table` writes it. */
test('docs/channel-types.md matches the channel types', async () => {
  const served = [line(HEAD), line(HEAD.map(() => '---')), ...CHANNEL_TYPES.map((type) => line(row(type)))]
  const unserved = UNSERVED_TYPES.map(({ type, name, retired }) => `- ${type} ${name}: ${retired.en}`)
  const page = [INTRODUCTION, ...served, '', '## Not relayed', '', ...unserved, ''].join('\n')
  await expect(page).toMatchFileSnapshot('../../../docs/channel-types.md')
})
