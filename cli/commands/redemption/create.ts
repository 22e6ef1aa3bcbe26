import { randomUUID } from 'node:crypto'
import { QUOTA_MAX } from '../../../core/input.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, DetailedError } from '../../errors.ts'
import { idempotencyKey, wholeNumber } from '../../input/arguments.ts'
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
/** Value of core's CODES_PER_BATCH, which is not imported, because commands load core only when needed. */
const COUNT_MAX = 100_000
/** Length of a line of the file: 32 characters and a newline. */
const LINE_BYTES = 33

export const redemptionCreate = verb({
  name: 'create',
  description: 'redemption.createRedemptionCodes',
  examples: [
    'tollgate redemption create --name spring --quota 1usd --count 10',
    'tollgate redemption create --name launch --count 250 --idempotency-key launch-1 --output codes.txt',
  ],
  syntax: (command) =>
    command
      .option('--name <text>', 'redemption.nameOfTheCodes')
      .option('--quota <amount>', 'redemption.quotaOfEachCode', quotaAmount({ min: 1, max: QUOTA_MAX }), QUOTA_DEFAULT)
      .option('--count <n>', 'redemption.numberOfCodes', wholeNumber({ min: 1, max: COUNT_MAX }), 1)
      .option('--output <file>', 'redemption.newFileForTheCodes')
      .option('--idempotency-key <text>', 'redemption.createTheCodesOnlyOnce', idempotencyKey),
  async run({ cli, toolkit, actor }, { name, quota, count, output, idempotencyKey: given }: Options) {
    const [{ createCodes }, { openCodeFile }] = await Promise.all([import('./batch.ts'), import('./code-file.ts')])
    // Always uses an idempotency key, so that a call can be repeated if its reply is lost.
    const key = given ?? `cli-${randomUUID()}`
    const batch = { name: name ?? (await cli.format()).money(quota), quota, count, key }
    const sizeMax = count * LINE_BYTES
    const file = output === undefined ? undefined : openCodeFile(cli, output, { resume: given !== undefined, sizeMax })
    const signal = cli.interruption()
    const codes: string[] = []
    const isPrinting = !cli.json && file === undefined
    // Shows no progress bar if codes are printed to the same terminal.
    const progress =
      isPrinting && cli.stdout.isTTY
        ? undefined
        : cli.progress({ title: cli.t('redemption.creatingCodes'), total: count })
    const onCodes = (made: string[]) => {
      codes.push(...made)
      if (isPrinting) cli.write(made.join('\n'))
      progress?.at(codes.length)
    }
    // Ends the progress bar first, so that the message gets its own line.
    const note = (line: string) => {
      progress?.end()
      cli.note(line)
    }
    try {
      await createCodes(
        { cli: { t: cli.t, note, remainingMs: cli.remainingMs, noWait: cli.noWait }, toolkit, actor },
        batch,
        { signal, file, onCodes },
      )
    } catch (error) {
      progress?.end()
      const made = codes.length
      const isLost = isOutcomeUnknown(error)
      const next =
        given === undefined ? cli.t('redemption.toCreateTheRestAdd', { key }) : cli.t('redemption.toCreateTheRest')
      const state = `${createdText(cli, { made, count, output, isLost })} ${next}`
      const details = { idempotency_key: key, made }
      if (signal.aborted) {
        throw new DetailedError(new CommandError('INTERRUPTED', cli.t('redemption.interrupted', { state })), details)
      }
      if (!cli.json && (made > 0 || isLost)) cli.note(state)
      throw new DetailedError(error, details)
    } finally {
      progress?.end()
      file?.close()
      // Prints codes even after a failure, because they are worth money.
      if (cli.json) cli.writeJson(codes)
    }
    if (output !== undefined) cli.note(cli.t('redemption.wroteCodes', { count, output }))
  },
})

/** Returns a text with the number of created codes. `isLost`: whether the outcome of the last call is unknown. */
function createdText(
  { t }: Cli,
  { isLost, ...values }: { made: number; count: number; output: string | undefined; isLost: boolean },
): string {
  if (values.made > 0 && values.output !== undefined) {
    return isLost ? t('redemption.atLeastCreatedAndWritten', values) : t('redemption.createdAndWritten', values)
  }
  return isLost ? t('redemption.atLeastCreated', values) : t('redemption.created', values)
}
