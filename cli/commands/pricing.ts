import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { pricingGet } from './pricing/get.ts'
import { pricingImport } from './pricing/import.ts'
import { pricingList } from './pricing/list.ts'
import { pricingSet } from './pricing/set.ts'
import { pricingUnset } from './pricing/unset.ts'

const VERBS = [pricingList, pricingGet, pricingSet, pricingUnset, pricingImport]

export function pricing(cli: Cli): Command {
  return VERBS.reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('pricing'))
}
