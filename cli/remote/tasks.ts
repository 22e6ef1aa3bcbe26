import { type Actor, ROLE } from '../../core/actor.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

export function remoteTasks(client: Client): CommandToolkit['tasks'] {
  const selfPath = (actor: Actor) => (actor.role >= ROLE.admin ? '' : '/self')
  const queryOf = <T extends { page?: number; pageSize?: number }>({ page, pageSize, ...filter }: T) => ({
    ...filter,
    p: page,
    page_size: pageSize,
  })
  return {
    pageOfDrawings: (actor, filter) => client.read(`GET /api/mj${selfPath(actor)}/page`, { query: queryOf(filter) }),
    pageOfTasks: (actor, filter) => client.read(`GET /api/task${selfPath(actor)}/page`, { query: queryOf(filter) }),
    getDrawing: (actor, id) => client.read(`GET /api/mj${selfPath(actor)}/:id`, { path: { id } }),
    getTask: (actor, id) => client.read(`GET /api/task${selfPath(actor)}/:id`, { path: { id } }),
  }
}
