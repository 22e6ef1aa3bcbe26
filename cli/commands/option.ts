import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { optionGet } from './option/get.ts'
import { optionList } from './option/list.ts'
import { optionSet } from './option/set.ts'

export function option(cli: Cli): Command {
  return [optionList, optionGet, optionSet].reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('option'))
}
