import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { positiveInt } from '../../input/arguments.ts'
import type { KeyUsage } from '../../key-usage.ts'
import type { Column } from '../../output/column.ts'
import { dollars } from '../../output/format.ts'
import { plainVerb } from '../../run/verbs.ts'

const COLUMNS: readonly Column<KeyUsage>[] = [
  { name: 'limit', value: ({ limit, in_currency }, { t }) => amount(limit, in_currency) ?? t('label.unlimited') },
  { name: 'used', value: ({ used, in_currency }) => amount(used, in_currency) ?? '' },
  { name: 'left', value: ({ left, in_currency }, { t }) => amount(left, in_currency) ?? t('label.unlimited') },
  {
    name: 'expires',
    value: ({ access_until }, { moment, t }) => (access_until === 0 ? t('label.never') : moment(access_until)),
  },
]

export const tokenUsage = plainVerb({
  name: 'usage',
  description: 'token.showTheBudgetAndUsage',
  examples: ['tollgate token usage 1'],
  syntax: (command) =>
    command
      .argument('[id]', 'token.idOfYourToken', positiveInt)
      .option('--key-stdin', 'token.readTheKeyFromStdinDefault'),
  async run(cli, id: number | undefined, { keyStdin = false }: { keyStdin?: boolean }) {
    if (id !== undefined && keyStdin) throw usageError(cli.t('token.passEitherANumberOrKey'))
    const key = id === undefined ? await givenKey(cli, { keyStdin }) : await ownKey(cli, id)
    const { usageOfKey } = await import('../../key-usage.ts')
    await cli.show(await usageOfKey(cli, key), { columns: COLUMNS })
  },
})

async function ownKey(cli: Cli, id: number): Promise<string> {
  const { toolkit, actor } = await cli.open()
  const { key } = await toolkit.tokens.get(actor, id)
  if (key === '') throw usageError(cli.t('token.tokenBelongsToAnotherUser', { id }))
  return key
}

async function givenKey(cli: Cli, { keyStdin }: { keyStdin: boolean }): Promise<string> {
  const keyText = keyStdin ? await cli.readInput() : (cli.env.TOLLGATE_API_KEY ?? '')
  if (keyText.trim() !== '') return validKey(cli, keyText.trim())
  if (keyStdin) throw usageError(cli.t('token.noKeyOnStdin'))
  if (!cli.interactive) throw usageError(cli.t('token.missingKey'))
  const prompts = await cli.prompts()
  return validKey(cli, (await prompts.password({ message: cli.t('token.apiKey') })).trim())
}

/** Returns the key. Throws a usage error if it has characters that cannot be sent in a header. */
function validKey(cli: Cli, key: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key
  throw usageError(cli.t('token.notAnApiKey'))
}

function amount(value: number | undefined, inCurrency: boolean): string | undefined {
  if (value === undefined) return undefined
  return inCurrency ? dollars(value) : String(value)
}
