import type { ConfigurationChange, ConfigurationPlan } from '../../../core/configuration/schema.ts'
import type { Cli } from '../../cli.ts'
import { createColors } from '../../colors.ts'

const SIGNS = { create: '+', update: '~', delete: '-' } as const

/** Prints changes in Terraform's format: created, updated and deleted entries, with totals. */
export async function printPlan(cli: Cli, { changes }: ConfigurationPlan): Promise<void> {
  const colors = createColors(await cli.color())
  const paint = { create: colors.green, update: colors.yellow, delete: colors.red }
  for (const { section, name, action, fields, in_use } of changes) {
    cli.write(paint[action](`${SIGNS[action]} ${section}.${name}`))
    for (const field of fields) cli.write(`    ${fieldLine(field)}`)
    const { users = 0, teams = 0, tokens = 0 } = in_use ?? {}
    if (users + teams + tokens > 0) cli.note(cli.t('moving.isTheGroupOfUsers', { name, users, teams, tokens }))
  }
  const count = (action: ConfigurationChange['action']) => changes.filter((change) => change.action === action).length
  if (changes.length === 0) cli.write(cli.t('moving.noChanges'))
  else
    cli.write(
      cli.t('moving.planToAddToChange', { added: count('create'), changed: count('update'), deleted: count('delete') }),
    )
}

function fieldLine({ field, before, after }: ConfigurationChange['fields'][number]): string {
  if (before === undefined) return `${field}: ${valueText(after)}`
  if (after === undefined) return `${field}: ${valueText(before)} → -`
  return `${field}: ${valueText(before)} → ${valueText(after)}`
}

const LENGTH_MAX = 120

function valueText(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length <= LENGTH_MAX ? text : `${text.slice(0, LENGTH_MAX)}…`
}
