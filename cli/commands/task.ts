import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { taskGet } from './task/get.ts'
import { taskList } from './task/list.ts'

export function task(cli: Cli): Command {
  return [taskList, taskGet].reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('task'))
}
