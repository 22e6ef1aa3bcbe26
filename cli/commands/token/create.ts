import { closeSync, rmSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { displayedToken } from '../../columns/token.ts'
import { usageError } from '../../errors.ts'
import { wholeNumber } from '../../input/arguments.ts'
import { plainVerb } from '../../run/verbs.ts'
import { teamOf } from '../../teams.ts'
import { userIdOf } from '../../users.ts'
import {
  isTimezoneAlone,
  type TokenFieldFlags,
  type TokenLimitFlags,
  timezoneAloneError,
  tokenFields,
  tokenLimits,
  withTokenFields,
  withTokenLimits,
} from './fields.ts'
import { warnOfUnserved } from './unserved.ts'

/** Default budget: one dollar at the default QuotaPerUnit. */
const QUOTA_DEFAULT = 500_000
const COUNT_MAX = 1000

interface Options extends TokenFieldFlags, TokenLimitFlags {
  user?: string
  team?: string
  count: number
  output?: string
}

export const tokenCreate = plainVerb({
  name: 'create',
  description: 'token.createTokensAndPrintTheirKeys',
  examples: [
    'tollgate token create my-app --quota 5000000 --expires 30d',
    'tollgate token create class --count 20 --output keys.txt',
    'tollgate token create shared --team lab',
    'tollgate token create team --rpm 60 --daily-usd 5 --timezone Asia/Shanghai',
  ],
  syntax: (command) =>
    withTokenLimits(
      withTokenFields(command.argument('<name>', 'token.nameUpTo30Characters'), {
        quota: 'token.budgetDefault',
        expires: 'token.expiryNever',
      }),
      { timezone: 'limit.timezoneUtc' },
    )
      .option('--user <name|id>', 'token.createItForAnotherUser')
      .option('--team <name|id>', 'team.createAKeyOfThisTeam')
      .addOption(
        new Option('--count <n>', command.t('token.numberOfTokens', { max: COUNT_MAX }))
          .argParser(wholeNumber({ min: 1, max: COUNT_MAX }))
          .default(1),
      )
      .option('--output <file>', 'token.newFileForTheKeys'),
  async run(cli, name: string, { user, team, count, output, ...options }: Options) {
    if (user !== undefined && team !== undefined) throw usageError(cli.t('team.passEitherUserOrTeam'))
    const given = tokenFields(cli, options)
    if (isTimezoneAlone(options)) throw timezoneAloneError(cli)
    const [{ toolkit, actor }, { createManyTokens: createTokens }, { openNew }, { checkTokenLimits, withExisting }] =
      await Promise.all([
        cli.open(),
        import('./batch.ts'),
        import('../../output/output-file.ts'),
        import('./limit-tokens.ts'),
      ])
    const limits = withExisting(tokenLimits(options), [])
    // Rejects invalid limits before a token exists, because its key would work without limits for a moment.
    checkTokenLimits(limits)
    const ownerId = user === undefined ? actor.id : await userIdOf(toolkit, actor, user)
    const teamId = team === undefined ? undefined : (await teamOf(toolkit, actor, team)).id
    const token = { remain_quota: options.unlimited ? 0 : QUOTA_DEFAULT, ...given, name }
    const file = output === undefined ? undefined : openNew(cli, output)
    const created: unknown[] = []
    try {
      await createTokens({ cli, toolkit, actor }, { token, limits, count, ownerId, teamId }, (made) => {
        const displayed = displayedToken(made, { wholeKey: true })
        created.push(displayed)
        if (file !== undefined) writeSync(file, `${displayed.key}\n`)
        if (cli.json) return
        if (file === undefined || count === 1) cli.note(announced(cli, made, { filed: file !== undefined }))
        if (file === undefined) cli.write(displayed.key)
      })
    } finally {
      if (file !== undefined) closeSync(file)
      if (output !== undefined && created.length === 0) rmSync(resolve(cli.folder, output))
      // Prints the tokens even after a failure, because keys of other users are shown only here.
      if (cli.json && created.length > 0) cli.writeJson(count === 1 ? created[0] : created)
    }
    if (created.length > 0) {
      await cli.readBack(() => warnOfUnserved(cli, given.model_limits, () => toolkit.models.usable(actor)))
    }
    if (output !== undefined && !cli.json) cli.note(cli.t('token.wroteKeys', { count: created.length, output }))
  },
})

function announced({ t }: Cli, { id, name }: { id: number; name: string }, { filed }: { filed: boolean }): string {
  return filed ? t('token.createdToken', { id, name }) : t('token.createdTokenTitle', { id, name })
}
