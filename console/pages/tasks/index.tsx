import Alert from '@arco-design/web-react/es/Alert'
import Modal from '@arco-design/web-react/es/Modal'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAdmin } from '../../access.ts'
import { type AsyncTask, listAsyncTasks } from '../../api/async-tasks.ts'
import { useStatus } from '../../api/status.ts'
import { JsonEditor } from '../../components/json-editor.tsx'
import { PageFrame } from '../../components/page.tsx'
import '../../components/task-list/task-list.css'
import { TaskTable } from '../../components/task-list/task-table.tsx'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { taskColumns } from './columns.tsx'
import { type Song, songsOf } from './songs.ts'

export default function TasksPage() {
  const { t } = useTranslation()
  const allUsers = isAdmin(useStore(session).user)
  const { data: status } = useStatus()
  const [open, setOpen] = useState<AsyncTask>()
  const columns = useMemo(() => taskColumns(t, allUsers, setOpen), [t, allUsers])

  return (
    <PageFrame title={t('screen.task')}>
      {status?.enable_task === false && <Alert className="task-notice" content={t('task.switchedOff')} />}
      <TaskTable
        name="task"
        find={listAsyncTasks}
        columns={columns}
        onOpen={setOpen}
        defaultRange="today"
        allUsers={allUsers}
        submission={{
          title: t('task.noneInRange'),
          hint: t('task.noneHint'),
          path: '/suno/submit/music',
          body: '{"gpt_description_prompt": "rain on a tin roof"}',
        }}
      />
      <TaskDetails task={open} onClose={() => setOpen(undefined)} />
    </PageFrame>
  )
}

/** A dialog with the songs and the complete record of a task. */
function TaskDetails({ task, onClose }: { task: AsyncTask | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal
      visible={task !== undefined}
      title={t('task.details')}
      footer={null}
      onCancel={onClose}
      unmountOnExit
      className="task-details"
    >
      {task && (
        <>
          <Songs songs={songsOf(task.data)} />
          <JsonEditor value={JSON.stringify(task, null, 2)} readOnly aria-label={t('task.record')} />
        </>
      )}
    </Modal>
  )
}

function Songs({ songs }: { songs: Song[] }) {
  const { t } = useTranslation()
  return songs.map(({ title, address }, place) => {
    const name = title || t('task.song', { place: place + 1 })
    return (
      <div key={address} className="task-song">
        <span>{name}</span>
        {/* biome-ignore lint/a11y/useMediaCaption: the upstream provides no transcript of the song */}
        <audio controls preload="none" src={address} aria-label={t('task.listen', { title: name })} />
      </div>
    )
  })
}
