import type { LiveChannel } from '../../../core/channels/directory.ts'
import { sameKey } from '../../../core/channels/key-ring.ts'
import type { UnfinishedTask } from '../../../core/tasks/lifecycle.ts'

export function grouped<K>(
  tasks: readonly UnfinishedTask[],
  by: (task: UnfinishedTask) => K,
): Map<K, UnfinishedTask[]> {
  const groups = new Map<K, UnfinishedTask[]>()
  for (const task of tasks) {
    const others = groups.get(by(task))
    if (others) others.push(task)
    else groups.set(by(task), [task])
  }
  return groups
}

/** A channel's tasks by the key that submitted them: an account knows nothing of another's tasks. */
export function byKey(
  channel: LiveChannel,
  tasks: readonly UnfinishedTask[],
): { channel: LiveChannel; tasks: UnfinishedTask[] }[] {
  const groups = grouped(tasks, ({ keyDigest }) => keyDigest)
  return [...groups].map(([digest, group]) => ({ channel: sameKey(channel, digest), tasks: group }))
}
