// Not written out, or every check of this file would miss it too.
import(`./${"nowhere"}.js`);
