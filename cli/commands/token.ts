import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { tokenCreate } from './token/create.ts'
import { tokenDelete } from './token/delete.ts'
import { tokenDisable } from './token/disable.ts'
import { tokenEnable } from './token/enable.ts'
import { tokenGet } from './token/get.ts'
import { tokenList } from './token/list.ts'
import { tokenUpdate } from './token/update.ts'
import { tokenUsage } from './token/usage.ts'

export function token(cli: Cli): Command {
  const verbs = [tokenCreate, tokenList, tokenGet, tokenUsage, tokenUpdate, tokenEnable, tokenDisable, tokenDelete]
  return verbs.reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('token'))
}
