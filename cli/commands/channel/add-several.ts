import type { Actor } from '../../../core/actor.ts'
import type { Channel, NewChannel } from '../../../core/channels/channel.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, EXIT, failureOf, usageError } from '../../errors.ts'
import { isOutcomeUnknown, withRetry } from '../../run/retry.ts'
import type { CommandToolkit } from '../../toolkit.ts'
import type { ChannelEntry } from './records.ts'
import { warnOfUnknownGroups } from './unknown-groups.ts'

/** Maximum number of channels per call. Each call writes all of its channels or none. */
const AT_ONCE = 100

interface InvalidEntry {
  line: number
  error: Error
}
type ValidEntry = Exclude<ChannelEntry, InvalidEntry>

/**
 * Adds the channels of a file, after checking every line. Reports each invalid line. Without `keepGoing`, an invalid
 * line prevents all writes. Ctrl-C stops between two calls.
 */
export async function addSeveral(
  cli: Cli,
  entries: readonly ChannelEntry[],
  { keepGoing }: { keepGoing: boolean },
): Promise<void> {
  const { toolkit, actor } = await cli.open()
  const interruption = cli.interruption()
  const { validEntries, invalidEntries } = await checkEntries(cli, toolkit, actor, { entries, interruption })
  const refused = invalidEntries.map(({ line, error }) => {
    const { code, message } = failureOf(error, cli)
    return { line, code, message }
  })
  if (!cli.json) for (const { line, message } of refused) cli.note(cli.t('channel.line', { line, message }))
  if (invalidEntries.length > 0 && !keepGoing) {
    const refusal = usageError(
      cli.t('channel.ofEntriesAreInvalid', { count: invalidEntries.length, total: entries.length }),
    )
    if (!cli.json) throw refusal
    cli.exitCode = EXIT.usage
    return cli.writeJson({ created: [], refused })
  }
  const created = await addEntries(cli, toolkit, actor, { validEntries, interruption })
  if (invalidEntries.length > 0) cli.exitCode = EXIT.failed
  cli.report(cli.t('channel.addedChannels', { count: created.length }), { created, refused })
  await warnOfUnknownGroups(
    cli,
    { toolkit, actor },
    validEntries.map(({ channel }) => channel.group),
  )
}

async function checkEntries(
  cli: Cli,
  { channels }: CommandToolkit,
  actor: Actor,
  { entries, interruption }: { entries: readonly ChannelEntry[]; interruption: AbortSignal },
): Promise<{ validEntries: ValidEntry[]; invalidEntries: InvalidEntry[] }> {
  const invalidEntries: InvalidEntry[] = entries.filter((entry) => 'error' in entry)
  const { unique, duplicates } = withoutRepetitions(entries.filter((entry) => 'channel' in entry))
  invalidEntries.push(...duplicates)
  const validEntries: ValidEntry[] = []
  const progress = cli.progress({ title: cli.t('channel.checking'), total: unique.length })
  try {
    for (let at = 0; at < unique.length; at += AT_ONCE) {
      interruption.throwIfAborted()
      const chunk = unique.slice(at, at + AT_ONCE)
      const { refused } = await withRetry(cli, { signal: interruption, repeatable: true }, () =>
        channels.createAll(actor, chunk.map(channelOf), { checkOnly: true }),
      )
      const errors = new Map(refused.map((each) => [each.at, each.error]))
      for (const [index, entry] of chunk.entries()) {
        const error = errors.get(index)
        if (error) invalidEntries.push({ line: entry.line, error })
        else validEntries.push(entry)
      }
      progress.at(at + chunk.length)
    }
  } catch (error) {
    if (interruption.aborted) throw new CommandError('INTERRUPTED', cli.t('channel.interruptedNothingWasAdded'))
    throw error
  } finally {
    progress.end()
  }
  return { validEntries, invalidEntries: invalidEntries.sort((a, b) => a.line - b.line) }
}

/** Separates entries whose name is in an earlier entry. Core checks only the names of one call. */
function withoutRepetitions(entries: readonly ValidEntry[]): { unique: ValidEntry[]; duplicates: InvalidEntry[] } {
  const names = new Set<string>()
  const unique: ValidEntry[] = []
  const duplicates: InvalidEntry[] = []
  for (const entry of entries) {
    const name = entry.channel.name.trim()
    if (names.has(name)) duplicates.push({ line: entry.line, error: new GatewayError('CHANNEL_NAME_TAKEN', { name }) })
    else unique.push(entry)
    if (name !== '') names.add(name)
  }
  return { unique, duplicates }
}

async function addEntries(
  cli: Cli,
  { channels }: CommandToolkit,
  actor: Actor,
  { validEntries, interruption }: { validEntries: readonly ValidEntry[]; interruption: AbortSignal },
): Promise<Channel[]> {
  const created: Channel[] = []
  const progress = cli.progress({ title: cli.t('channel.adding'), total: validEntries.length })
  try {
    for (let at = 0; at < validEntries.length; at += AT_ONCE) {
      interruption.throwIfAborted()
      const chunk = validEntries.slice(at, at + AT_ONCE)
      const answer = await withRetry(cli, { signal: interruption, repeatable: false }, () =>
        channels.createAll(actor, chunk.map(channelOf)),
      )
      const [first] = answer.refused
      // Another process has taken the name since the check.
      if (first) {
        if (created.length)
          cli.note(cli.t('channel.addedOfChannels', { count: created.length, total: validEntries.length }))
        throw first.error
      }
      created.push(...answer.created)
      progress.at(created.length)
    }
  } catch (error) {
    if (!interruption.aborted) throw error
    const state = isOutcomeUnknown(error)
      ? cli.t('channel.interruptedAddedAtLeast', { count: created.length, total: validEntries.length })
      : cli.t('channel.interruptedAddedOfChannels', { count: created.length, total: validEntries.length })
    throw new CommandError('INTERRUPTED', state)
  } finally {
    progress.end()
  }
  return created
}

const channelOf = ({ channel }: ValidEntry): NewChannel => channel
