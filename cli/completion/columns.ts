import type { Command } from '../command.ts'
import { wordsOf } from '../help/page.ts'
import type { Column } from '../output/column.ts'

type Load = () => Promise<readonly Column<never>[]>

/** Loaders of the columns of each list, by command. */
const LISTS: Readonly<Record<string, Load>> = {
  'api-key list': async () => (await import('../columns/api-key.ts')).API_KEY_COLUMNS,
  'audit list': async () => (await import('../columns/audit.ts')).AUDIT_COLUMNS,
  'channel list': async () => (await import('../columns/channel.ts')).CHANNEL_COLUMNS,
  'channel tags': async () => (await import('../columns/channel-tag.ts')).TAG_COLUMNS,
  'channel types': async () => (await import('../columns/channel-type.ts')).TYPE_COLUMNS,
  'group list': async () => (await import('../columns/group.ts')).GROUP_COLUMNS,
  'job list': async () => (await import('../columns/job.ts')).JOB_COLUMNS,
  'log list': async () => (await import('../columns/log.ts')).LOG_COLUMNS,
  'log search': async () => (await import('../columns/log.ts')).LOG_COLUMNS,
  'option list': async () => (await import('../columns/option.ts')).OPTION_COLUMNS,
  'pricing list': async () => (await import('../columns/pricing.ts')).PRICE_COLUMNS,
  'profile list': async () => (await import('../columns/profile.ts')).PROFILE_COLUMNS,
  'redemption list': async () => (await import('../columns/redemption.ts')).REDEMPTION_COLUMNS,
  'token list': async () => (await import('../columns/token.ts')).TOKEN_COLUMNS,
  'user list': async () => (await import('../columns/user.ts')).USER_COLUMNS,
  'user search': async () => (await import('../columns/user.ts')).USER_COLUMNS,
  'wallet orders': async () => (await import('../columns/wallet.ts')).ORDER_COLUMNS,
  'wallet callbacks': async () => (await import('../columns/wallet.ts')).CALLBACK_COLUMNS,
}

/** Returns the column names of a list. */
export async function columnsOf(command: Command): Promise<string[]> {
  const [, ...words] = wordsOf(command).split(' ')
  const columns = (await LISTS[words.join(' ')]?.()) ?? []
  return columns.map(({ name }) => name)
}

/** Returns the typed comma list with each name that can replace its last name: for `id,na`, one result is `id,name`. */
export function continueList(typed: string, names: readonly string[]): string[] {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1)
  const typedNames = before.split(',')
  return names.filter((name) => !typedNames.includes(name)).map((name) => before + name)
}
