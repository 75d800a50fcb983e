//! The lock file of the studio's page: complete for every system, without addresses.
//!
//! npm leaves an optional package that it cannot find out of the lock without a word, and the
//! page can then not be built on the system that the package is for.

use anyhow::{Context, Result};
use serde_json::Value;

use super::Finding;
use crate::tree::TextFile;

const LOCK: &str = "web/package-lock.json";

pub fn check(files: &[TextFile]) -> Result<Vec<Finding>> {
    let Some(file) = files.iter().find(|f| f.path == LOCK) else { return Ok(Vec::new()) };
    let lock: Value = serde_json::from_str(&file.text).context(LOCK)?;
    let packages = lock["packages"].as_object().context("the lock file lists no packages")?;
    let mut findings = Vec::new();
    for (place, package) in packages {
        let own = |name: &str| format!("{place}/node_modules/{name}");
        for name in package["optionalDependencies"].as_object().into_iter().flatten().map(|(name, _)| name) {
            if !packages.contains_key(&own(name)) && !packages.contains_key(&format!("node_modules/{name}")) {
                findings.push(Finding::new(
                    file,
                    0,
                    format!("lacks {name}, which {place} needs on some system"),
                ));
            }
        }
        if package.get("resolved").is_some_and(|address| address.as_str().is_some_and(|a| a.contains("://")))
        {
            findings.push(Finding::new(
                file,
                0,
                format!("names the address of {place}; web/.npmrc leaves it out"),
            ));
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::super::made_up;
    use super::*;

    fn found(packages: &Value) -> usize {
        check(&[made_up(LOCK, &serde_json::json!({ "packages": packages }).to_string())]).unwrap().len()
    }

    #[test]
    fn a_missing_package_of_another_system_is_found() {
        let tool = serde_json::json!({ "optionalDependencies": { "tool-linux": "1", "tool-mac": "1" } });
        let one = serde_json::json!({ "node_modules/tool": tool, "node_modules/tool-linux": {} });
        assert_eq!(found(&one), 1);
        let both = serde_json::json!({
            "node_modules/tool": tool,
            "node_modules/tool-linux": {},
            "node_modules/tool/node_modules/tool-mac": {},
        });
        assert_eq!(found(&both), 0);
    }

    #[test]
    fn an_address_is_found() {
        assert_eq!(
            found(&serde_json::json!({ "node_modules/a": { "resolved": "https://example.org/a.tgz" } })),
            1
        );
    }
}
