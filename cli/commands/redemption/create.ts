import { randomUUID } from 'node:crypto'
import { QUOTA_MAX } from '../../../core/input.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, DetailedError } from '../../errors.ts'
import { idempotencyKey, wholeNumber } from '../../input/arguments.ts'
import { counted } from '../../input/enum-labels.ts'
import { quotaAmount } from '../../output/dollars.ts'
import { isOutcomeUnknown } from '../../run/retry.ts'
import { verb } from '../../run/verbs.ts'

interface Options {
  name?: string
  quota: number
  count: number
  output?: string
  idempotencyKey?: string
}

const QUOTA_DEFAULT = 100_000
/** Equals core's CODES_PER_BATCH; core is loaded only when needed. */
const COUNT_MAX = 100_000
/** 32 characters and a newline. */
const LINE_BYTES = 33

export const redemptionCreate = verb({
  name: 'create',
  description: 'Create redemption codes; prints one per line',
  examples: [
    'tollgate redemption create --name spring --quota 1usd --count 10',
    'tollgate redemption create --name launch --count 250 --idempotency-key launch-1 --output codes.txt',
  ],
  syntax: (command) =>
    command
      .option('--name <text>', 'name of the codes, up to 20 characters (default: their quota)')
      .option(
        '--quota <amount>',
        "quota of each code, such as 500000 or '$1'",
        quotaAmount({ min: 1, max: QUOTA_MAX }),
        QUOTA_DEFAULT,
      )
      .option('--count <n>', 'number of codes, up to 100000', wholeNumber({ min: 1, max: COUNT_MAX }), 1)
      .option('--output <file>', 'new file for the codes, readable only by you')
      .option(
        '--idempotency-key <text>',
        'create the codes only once: the same key returns the same codes, and continues after an interruption',
        idempotencyKey,
      ),
  async run({ cli, toolkit, actor }, { name, quota, count, output, idempotencyKey: given }: Options) {
    const [{ makeBatch }, { openCodeFile }] = await Promise.all([import('./batch.ts'), import('./code-file.ts')])
    // Always uses a key, so that a call with a lost reply can be repeated.
    const key = given ?? `cli-${randomUUID()}`
    const batch = { name: name ?? (await cli.format()).money(quota), quota, count, key }
    const sizeMax = count * LINE_BYTES
    const file = output === undefined ? undefined : openCodeFile(cli, output, { resume: given !== undefined, sizeMax })
    const signal = cli.interruption()
    const codes: string[] = []
    const printing = !cli.json && file === undefined
    // No progress bar if codes go to the same terminal.
    const progress =
      printing && cli.stdout.isTTY ? undefined : cli.progress({ title: cli.text('Creating codes'), total: count })
    const onCodes = (made: string[]) => {
      codes.push(...made)
      if (printing) cli.write(made.join('\n'))
      progress?.at(codes.length)
    }
    // Ends the bar first, so that the message gets its own line.
    const note = (line: string) => {
      progress?.end()
      cli.note(line)
    }
    try {
      await makeBatch(
        { cli: { say: cli.say, note, remainingMs: cli.remainingMs, noWait: cli.noWait }, toolkit, actor },
        batch,
        {
          signal,
          file,
          onCodes,
        },
      )
    } catch (error) {
      progress?.end()
      const made = codes.length
      const lost = isOutcomeUnknown(error)
      const state = stateOf(cli, { made, lost, count, output, key, given: given !== undefined })
      const details = { idempotency_key: key, made }
      if (signal.aborted) {
        throw new DetailedError(new CommandError('INTERRUPTED', cli.say`interrupted: ${state}`), details)
      }
      if (!cli.json && (made > 0 || lost)) cli.note(state)
      throw new DetailedError(error, details)
    } finally {
      progress?.end()
      file?.close()
      // Prints codes even after a failure, because they are worth money.
      if (cli.json) cli.writeJson(codes)
    }
    if (output !== undefined)
      cli.note(counted(count, cli.say`Wrote 1 code to ${output}.`, cli.say`Wrote ${count} codes to ${output}.`))
  },
})

function stateOf(
  { say }: Cli,
  {
    made,
    lost,
    count,
    output,
    key,
    given,
  }: {
    made: number
    /** Whether the outcome of the last call is unknown. */
    lost: boolean
    count: number
    output?: string | undefined
    key: string
    given: boolean
  },
): string {
  const filed = made > 0 && output !== undefined
  const known = filed
    ? say`${made} of ${count} codes created, written to ${output}.`
    : say`${made} of ${count} codes created.`
  const atLeast = filed
    ? say`At least ${made} of ${count} codes created, written to ${output}.`
    : say`At least ${made} of ${count} codes created.`
  const what = lost ? atLeast : known
  const next = given
    ? say`To create the rest, run the same command again: no code is created twice.`
    : say`To create the rest, add --idempotency-key ${key} to the command: no code is created twice.`
  return `${what} ${next}`
}
