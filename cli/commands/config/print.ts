import type { ConfigurationChange, ConfigurationPlan } from '../../../core/configuration/schema.ts'
import type { Cli } from '../../cli.ts'

const SIGNS = { create: '+', update: '~', delete: '-' } as const

/** Prints changes as Terraform does: what comes, changes and goes, and how many of each. */
export async function printPlan(cli: Cli, { changes }: ConfigurationPlan): Promise<void> {
  const [{ default: picocolors }, isColored] = await Promise.all([import('picocolors'), cli.color()])
  const colors = picocolors.createColors(isColored)
  const paint = { create: colors.green, update: colors.yellow, delete: colors.red }
  for (const { section, name, action, fields } of changes) {
    cli.write(paint[action](`${SIGNS[action]} ${section}.${name}`))
    for (const field of fields) cli.write(`    ${fieldLine(field)}`)
  }
  const count = (action: ConfigurationChange['action']) => changes.filter((change) => change.action === action).length
  if (changes.length === 0) cli.write(cli.say`No changes.`)
  else cli.write(cli.say`Plan: ${count('create')} to add, ${count('update')} to change, ${count('delete')} to delete.`)
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
