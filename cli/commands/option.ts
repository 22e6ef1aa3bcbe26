import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { optionAreas } from './option/areas.ts'
import { optionEdit } from './option/edit.ts'
import { optionGet } from './option/get.ts'
import { optionList } from './option/list.ts'
import { optionReset } from './option/reset.ts'
import { optionResetRatios } from './option/reset-ratios.ts'
import { optionSet } from './option/set.ts'

const VERBS = [optionList, optionAreas, optionGet, optionSet, optionEdit, optionReset, optionResetRatios]

export function option(cli: Cli): Command {
  return VERBS.reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('option'))
}
