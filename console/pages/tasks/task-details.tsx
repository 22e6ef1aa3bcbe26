import Modal from '@arco-design/web-react/es/Modal'
import { useTranslation } from 'react-i18next'
import type { AsyncTask } from '../../api/async-tasks.ts'
import { JsonEditor } from '../../components/json-editor.tsx'
import '../../components/task-list/task-list.css'
import { type Song, songsOf } from './songs.ts'

/** A dialog with the songs and the complete record of a task. */
export function TaskDetails({ task, onClose }: { task: AsyncTask | undefined; onClose: () => void }) {
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
