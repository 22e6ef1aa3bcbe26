import { type Actor, ROLE } from '../../core/actor.ts'
import type { Drawing, Task } from '../../core/tasks/schema.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { hasFields, pageOf } from './guards.ts'

export function remoteTasks(client: Client): CommandToolkit['tasks'] {
  const selfPath = (actor: Actor) => (actor.role >= ROLE.admin ? '' : '/self')
  const queryOf = <T extends { page?: number; pageSize?: number }>({ page, pageSize, ...filter }: T) => ({
    ...filter,
    p: page,
    page_size: pageSize,
  })
  return {
    pageOfDrawings: (actor, filter) =>
      client.read(pageOf<Drawing>('id'), 'GET', `/api/mj${selfPath(actor)}/page`, { query: queryOf(filter) }),
    pageOfTasks: (actor, filter) =>
      client.read(pageOf<Task>('id'), 'GET', `/api/task${selfPath(actor)}/page`, { query: queryOf(filter) }),
    getDrawing: (actor, id) =>
      client.read(hasFields<Drawing>('id'), 'GET', `/api/mj${selfPath(actor)}/:id`, { params: { id } }),
    getTask: (actor, id) =>
      client.read(hasFields<Task>('id'), 'GET', `/api/task${selfPath(actor)}/:id`, { params: { id } }),
  }
}
