import type { Channel } from '../../../core/channels/channel.ts'
import { type ErrorCode, GatewayError } from '../../../core/errors.ts'
import type { Cli } from '../../cli.ts'
import type { CheckedChannel } from '../../columns/channel-checks.ts'
import type { Command } from '../../command.ts'
import { CommandError, EXIT, failureOf, usageError } from '../../errors.ts'
import { wholeNumber } from '../../input/arguments.ts'
import type { Column } from '../../output/column.ts'

export interface RoundFlags {
  all?: true
  concurrency: number
  detach?: true
}

const CONCURRENCY = 4
const concurrency = wholeNumber({ min: 1, max: 32 })
const DETACHED_TIMEOUT_MS = 600_000

export function withRoundFlags(command: Command): Command {
  return command
    .option('--concurrency <n>', 'channel.numberOfChannelsToCheck', concurrency, CONCURRENCY)
    .option('--detach', 'channel.startATestRound')
}

/** Throws a usage error for ids together with --all, for neither of them, and for --detach without --all. */
export function checkRoundFlags(
  cli: Cli,
  ids: readonly number[],
  { all, detach }: Omit<RoundFlags, 'concurrency'>,
): void {
  if (all ? ids.length > 0 : ids.length === 0) throw usageError(cli.t('channel.passEitherChannelIDsOrAll'))
  if (detach && !all) throw usageError(cli.t('channel.detachNeedsAll'))
}

/** Starts the server's own check of all channels. Throws a usage error if the target is the local database. */
export async function detachedRound(
  cli: Cli,
  name: 'GET /api/channel/test' | 'GET /api/channel/update_balance',
): Promise<void> {
  const client = await cli.openRemote()
  if (!client) throw usageError(cli.t('channel.detachNeedsARunningGateway'))
  await client.call(name, { timeoutMs: DETACHED_TIMEOUT_MS })
}

/**
 * Checks up to `concurrency` channels at a time and prints the results. Sets exit code 1 if a check failed. Ctrl-C
 * aborts running checks and prints the results so far.
 */
export async function checkEach<Row extends CheckedChannel>(
  cli: Cli,
  channels: readonly Channel[],
  check: (channel: Channel, signal: AbortSignal) => Promise<Row>,
  view: {
    title: string
    empty: string
    columns: readonly Column<Row>[]
    concurrency: number
    /** Returns the row of a channel whose check threw an error. */
    failedRow: (channel: Channel, outcome: Pick<CheckedChannel, 'result' | 'message'>) => Row
    /** Code of an error that does not count as a failure. */
    unsupported: ErrorCode | undefined
  },
): Promise<void> {
  const interruption = cli.interruption()
  const progress = cli.progress({ title: view.title, total: channels.length })
  const rows = new Map<number, Row>()
  const remainingChannels = channels.values()
  let unexpectedError: unknown
  async function checkRemaining(): Promise<void> {
    for (const channel of remainingChannels) {
      if (interruption.aborted || unexpectedError) return
      try {
        rows.set(channel.id, await check(channel, interruption))
      } catch (error) {
        if (interruption.aborted) return
        if (!(error instanceof GatewayError)) {
          unexpectedError = error
          return
        }
        const result = error.code === view.unsupported ? 'unsupported' : 'failed'
        rows.set(channel.id, view.failedRow(channel, { result, message: failureOf(error, cli).message }))
      }
      progress.at(rows.size)
    }
  }
  try {
    await Promise.all(Array.from({ length: view.concurrency }, checkRemaining))
  } finally {
    progress.end()
  }
  const checkedRows = channels.flatMap(({ id }) => rows.get(id) ?? [])
  if (checkedRows.length > 0 || cli.json) await cli.print(checkedRows, view)
  const failed = checkedRows.filter(({ result }) => result === 'failed').length
  if (interruption.aborted) {
    throw new CommandError(
      'INTERRUPTED',
      cli.t('channel.interruptedCheckedOfChannelsFailed', {
        count: checkedRows.length,
        total: channels.length,
        failed,
      }),
    )
  }
  if (unexpectedError) throw unexpectedError
  if (channels.length === 0) cli.note(view.empty)
  else if (!cli.json) cli.note(cli.t('channel.checkedChannelsFailed', { count: checkedRows.length, failed }))
  if (failed > 0) cli.exitCode = EXIT.failed
}
