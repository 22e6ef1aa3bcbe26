import type { Actor } from '../../../core/actor.ts'
import type { Channel } from '../../../core/channels/channel.ts'
import type { ChannelQuery } from '../../../core/channels/queries.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Cli } from '../../cli.ts'
import { failureOf } from '../../errors.ts'
import { reportError } from '../../run/bulk.ts'
import type { CommandToolkit } from '../../toolkit.ts'

const AT_ONCE = 1000

/**
 * Finds all channels before the command changes any channel. Reports missing ids, then throws CHANNEL_NOT_FOUND. With
 * `keepGoing`, throws only if no channel exists. Otherwise sets the exit code of CHANNEL_NOT_FOUND, and returns the
 * channels that exist.
 */
export async function findChannels(
  cli: Cli,
  { channels }: Pick<CommandToolkit, 'channels'>,
  actor: Actor,
  { ids, keepGoing = false }: { ids: readonly number[]; keepGoing?: boolean | undefined },
): Promise<Channel[]> {
  const byId = new Map<number, Channel>()
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const { items } = await channels.list(actor, { ids: ids.slice(at, at + AT_ONCE), pageSize: AT_ONCE })
    for (const channel of items) byId.set(channel.id, channel)
  }
  const errors = ids.filter((id) => !byId.has(id)).map((id) => new GatewayError('CHANNEL_NOT_FOUND', { id }))
  const last = errors.at(-1)
  if (last) {
    const stops = !keepGoing || byId.size === 0
    // The caller reports the last error.
    for (const error of stops ? errors.slice(0, -1) : errors) reportError(cli, error)
    if (stops) throw last
    cli.exitCode = failureOf(last, cli).exit
  }
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Returns all channels that match the query, from all pages. */
export async function allChannels(
  { channels }: Pick<CommandToolkit, 'channels'>,
  actor: Actor,
  query: Omit<ChannelQuery, 'page' | 'pageSize'> = {},
): Promise<Channel[]> {
  const all: Channel[] = []
  for (let page = 1; ; page += 1) {
    const { items, total } = await channels.list(actor, { ...query, page, pageSize: AT_ONCE })
    all.push(...items)
    if (items.length === 0 || page * AT_ONCE >= total) return all
  }
}

const SHOWN = 10

/** Returns channel names for a message: the first ten names, and the number of the other names. */
export function summarizeChannelNames(cli: Cli, channels: readonly Pick<Channel, 'name'>[]): string {
  const names = channels.slice(0, SHOWN).map(({ name }) => name)
  const more = channels.length - names.length
  return more > 0 ? cli.t('channel.andMore', { names: names.join(', '), more }) : names.join(', ')
}
