import type { Actor } from '../../../core/actor.ts'
import type { Channel, NewChannel } from '../../../core/channels/channel.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, EXIT, failureOf, usageError } from '../../errors.ts'
import { isOutcomeUnknown, withRetry } from '../../run/retry.ts'
import type { CommandToolkit } from '../../toolkit.ts'
import type { Entry } from './records.ts'
import { warnOfUnknownGroups } from './unknown-groups.ts'

/** Channels per call; each call writes all of them or none. */
const AT_ONCE = 100

interface Bad {
  line: number
  error: Error
}
type Good = Exclude<Entry, Bad>

/**
 * Adds the channels of a file, after checking every line. Reports each bad line; without `keepGoing` any bad line prevents all
 * writes. Ctrl-C stops between two calls.
 */
export async function addSeveral(
  cli: Cli,
  entries: readonly Entry[],
  { keepGoing }: { keepGoing: boolean },
): Promise<void> {
  const { toolkit, actor } = await cli.open()
  const interruption = cli.interruption()
  const { good, bad } = await checked(cli, toolkit, actor, { entries, interruption })
  const refused = bad.map(({ line, error }) => {
    const { code, message } = failureOf(error, cli)
    return { line, code, message }
  })
  if (!cli.json) for (const { line, message } of refused) cli.note(cli.t('channel.line', { line, message }))
  if (bad.length > 0 && !keepGoing) {
    const refusal = usageError(cli.t('channel.ofEntriesAreInvalid', { count: bad.length, count2: entries.length }))
    if (!cli.json) throw refusal
    cli.exitCode = EXIT.usage
    return cli.writeJson({ created: [], refused })
  }
  const created = await added(cli, toolkit, actor, { good, interruption })
  if (bad.length > 0) cli.exitCode = EXIT.failed
  cli.report(cli.t('channel.addedChannels', { count: created.length }), {
    created,
    refused,
  })
  await warnOfUnknownGroups(
    cli,
    { toolkit, actor },
    good.map(({ channel }) => channel.group),
  )
}

async function checked(
  cli: Cli,
  { channels }: CommandToolkit,
  actor: Actor,
  { entries, interruption }: { entries: readonly Entry[]; interruption: AbortSignal },
): Promise<{ good: Good[]; bad: Bad[] }> {
  const bad: Bad[] = entries.filter((entry) => 'error' in entry)
  const { unique, twice } = withoutRepetitions(entries.filter((entry) => 'channel' in entry))
  bad.push(...twice)
  const good: Good[] = []
  const progress = cli.progress({ title: cli.t('channel.checking'), total: unique.length })
  try {
    for (let at = 0; at < unique.length; at += AT_ONCE) {
      interruption.throwIfAborted()
      const part = unique.slice(at, at + AT_ONCE)
      const { refused } = await withRetry(cli, { signal: interruption, repeatable: true }, () =>
        channels.createAll(actor, part.map(channelOf), { checkOnly: true }),
      )
      const errors = new Map(refused.map((each) => [each.at, each.error]))
      for (const [index, entry] of part.entries()) {
        const error = errors.get(index)
        if (error) bad.push({ line: entry.line, error })
        else good.push(entry)
      }
      progress.at(at + part.length)
    }
  } catch (error) {
    if (interruption.aborted) throw new CommandError('INTERRUPTED', cli.t('channel.interruptedNothingWasAdded'))
    throw error
  } finally {
    progress.end()
  }
  return { good, bad: bad.sort((a, b) => a.line - b.line) }
}

/** Core checks the names of one call only, so repetitions across calls are found here. */
function withoutRepetitions(entries: readonly Good[]): { unique: Good[]; twice: Bad[] } {
  const names = new Set<string>()
  const unique: Good[] = []
  const twice: Bad[] = []
  for (const entry of entries) {
    const name = entry.channel.name.trim()
    if (names.has(name)) twice.push({ line: entry.line, error: new GatewayError('CHANNEL_NAME_TAKEN', { name }) })
    else unique.push(entry)
    if (name !== '') names.add(name)
  }
  return { unique, twice }
}

async function added(
  cli: Cli,
  { channels }: CommandToolkit,
  actor: Actor,
  { good, interruption }: { good: readonly Good[]; interruption: AbortSignal },
): Promise<Channel[]> {
  const created: Channel[] = []
  const progress = cli.progress({ title: cli.t('channel.adding'), total: good.length })
  try {
    for (let at = 0; at < good.length; at += AT_ONCE) {
      interruption.throwIfAborted()
      const part = good.slice(at, at + AT_ONCE)
      const answer = await withRetry(cli, { signal: interruption, repeatable: false }, () =>
        channels.createAll(actor, part.map(channelOf)),
      )
      const [first] = answer.refused
      // Another process has taken the name since the check.
      if (first) {
        if (created.length) cli.note(cli.t('channel.addedOfChannels', { count: created.length, count2: good.length }))
        throw first.error
      }
      created.push(...answer.created)
      progress.at(created.length)
    }
  } catch (error) {
    if (!interruption.aborted) throw error
    const state = isOutcomeUnknown(error)
      ? cli.t('channel.interruptedAddedAtLeast', { count: created.length, count2: good.length })
      : cli.t('channel.interruptedAddedOfChannels', { count: created.length, count2: good.length })
    throw new CommandError('INTERRUPTED', state)
  } finally {
    progress.end()
  }
  return created
}

const channelOf = ({ channel }: Good): NewChannel => channel
