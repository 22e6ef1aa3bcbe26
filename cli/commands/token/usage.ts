import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { positiveInt } from '../../input/arguments.ts'
import type { KeyUsage } from '../../key-usage.ts'
import type { Column } from '../../output/column.ts'
import { dollars } from '../../output/format.ts'
import { plainVerb } from '../../run/verbs.ts'

const COLUMNS: readonly Column<KeyUsage>[] = [
  { title: 'limit', value: ({ limit, in_currency }) => amount(limit, in_currency) },
  { title: 'used', value: ({ used, in_currency }) => amount(used, in_currency) },
  { title: 'left', value: ({ left, in_currency }) => amount(left, in_currency) },
  {
    title: 'expires',
    value: ({ access_until }, { moment, text }) => (access_until === 0 ? text('never') : moment(access_until)),
  },
]

export const tokenUsage = plainVerb({
  name: 'usage',
  description: 'Show the budget and usage of an API key; needs no sign-in',
  examples: ['tollgate token usage 1'],
  syntax: (command) =>
    command
      .argument('[id]', 'ID of your token, instead of its key', positiveInt)
      .option('--key-stdin', 'read the key from stdin (default: TOLLGATE_API_KEY, else prompt)'),
  async run(cli, id: number | undefined, { keyStdin = false }: { keyStdin?: boolean }) {
    if (id !== undefined && keyStdin) throw usageError(cli.say`pass either a number or --key-stdin, not both`)
    const key = id === undefined ? await givenKey(cli, { keyStdin }) : await ownKey(cli, id)
    const { usageOfKey } = await import('../../key-usage.ts')
    await cli.show(await usageOfKey(cli, key), { columns: COLUMNS })
  },
})

async function ownKey(cli: Cli, id: number): Promise<string> {
  const { toolkit, actor } = await cli.open()
  const { key } = await toolkit.tokens.get(actor, id)
  if (key === '') throw usageError(cli.say`token ${id} belongs to another user: only its owner can see the key`)
  return key
}

async function givenKey(cli: Cli, { keyStdin }: { keyStdin: boolean }): Promise<string> {
  const given = keyStdin ? await cli.readInput() : (cli.env.TOLLGATE_API_KEY ?? '')
  if (given.trim() !== '') return checked(cli, given.trim())
  if (keyStdin) throw usageError(cli.say`no key on stdin: pipe it to --key-stdin`)
  if (!cli.interactive) throw usageError(cli.say`missing key: pass --key-stdin, or set TOLLGATE_API_KEY`)
  const prompts = await cli.prompts()
  return checked(cli, (await prompts.password({ message: cli.text('API key') })).trim())
}

/** The key is sent in a header. */
function checked(cli: Cli, key: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key
  throw usageError(cli.say`not an API key: a key looks like sk-…`)
}

function amount(value: number | undefined, inCurrency: boolean): string {
  if (value === undefined) return 'unlimited'
  return inCurrency ? dollars(value) : String(value)
}
