import { AreasPage } from '../options/areas-page.tsx'
import { OTHER_AREAS } from './areas.ts'

/** The platform's name and texts; each part is saved separately. */
export default function OtherSettings() {
  return <AreasPage areas={() => OTHER_AREAS} />
}
