import { AreasPage } from '../options/areas-page.tsx'
import { OTHER_AREAS } from './areas.ts'

/** What the platform is called and says: each part is saved by itself. */
export default function OtherSettings() {
  return <AreasPage areas={() => OTHER_AREAS} />
}
