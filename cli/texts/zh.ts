import type { Catalogue } from '../texts.ts'
import { db } from './zh/db.ts'
import { doctor } from './zh/doctor.ts'
import { general } from './zh/general.ts'
import { log } from './zh/log.ts'
import { task } from './zh/task.ts'
import { watching } from './zh/watching.ts'

/** Chinese, a file for each noun. */
export const zh: Catalogue = {
  ...db,
  ...doctor,
  ...log,
  ...task,
  ...watching,
  ...general,
}
