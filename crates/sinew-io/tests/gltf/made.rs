//! Rigs and motions for the tests.

use sinew_f64::math::rotation;
use sinew_f64::{JointDef, JointKind, Pose, Quat, Skeleton, SkeletonBuilder, Vec3};
use sinew_io::{Asset, Motion};

/// A little creature: turned rest frames, a branch, a zero-length bone, a
/// hinge with a limit, a fixed joint, a stiff one and a tip.
pub fn creature() -> Skeleton {
    let mut builder = SkeletonBuilder::new("creature");
    let turn = |x, y, z| rotation::exp(Vec3::new(x, y, z));
    let hips = builder.add(
        JointDef::new("hips")
            .at(Vec3::new(0.1, 0.9, -0.3))
            .turned(turn(0.2, -0.4, 0.1))
            .kind(JointKind::Free),
    );
    let spine = builder
        .add(JointDef::new("spine").under(hips).at(Vec3::new(0.0, 0.2, 0.01)).turned(turn(-0.7, 0.0, 0.3)));
    let twin = builder.add(JointDef::new("twin").under(spine).turned(turn(0.0, 1.0, 0.0)));
    let arm = builder.add(
        JointDef::new("bras gauche")
            .under(twin)
            .at(Vec3::new(0.3, 0.1, 0.0))
            .limit(sinew_f64::limit::SwingTwistLimit::along(Vec3::X, Vec3::Y).twist(-0.5, 0.75)),
    );
    builder.add(
        JointDef::new("elbow")
            .under(arm)
            .at(Vec3::new(0.25, 0.0, 0.0))
            .hinge_range(Vec3::Y, -0.1, 2.4)
            .tip(Vec3::new(0.21, 0.013, -0.002)),
    );
    builder.add(JointDef::new("horn").under(spine).at(Vec3::new(0.0, 0.15, 0.1)).kind(JointKind::Fixed));
    let leg = builder.add(JointDef::new("leg").under(hips).at(Vec3::new(0.1, -0.4, 0.0)).stiffness(0.25));
    builder.add(JointDef::new("foot").under(leg).at(Vec3::new(0.0, -0.45, 0.0)).turned(turn(-1.2, 0.0, 0.0)));
    builder.build().unwrap()
}

/// A motion that turns every joint and shifts the root, and at one joint more
/// than `shifted` says the bone itself.
pub fn motion(skeleton: &Skeleton, name: &str, frame_time: f64, frames: usize, shifted: &[&str]) -> Motion {
    let frames = (0..frames).map(|frame| {
        let t = frame as f64 * 0.13;
        let mut pose = Pose::rest(skeleton);
        for joint in skeleton.ids() {
            let k = joint.index() as f64;
            let turn = Vec3::new((t + k).sin(), (t * 0.7 - k).cos(), (t * 1.3 + 2.0 * k).sin()) * 0.9;
            pose.set_rotation(joint, rotation::exp(turn));
            if joint == skeleton.root() || shifted.contains(&skeleton.joint(joint).name()) {
                pose.set_translation(joint, Vec3::new(t.sin() * 2.0, t.cos() * 0.2, t * 0.1));
            }
        }
        pose.set_rotation(skeleton.root(), Quat::from_rotation_y(t * 3.0));
        pose
    });
    Motion::new(name, frame_time, frames.collect())
}

/// The creature with two motions.
pub fn asset() -> Asset {
    let mut asset = Asset::new(creature());
    asset.motions.push(motion(&asset.skeleton, "dance", 1.0 / 30.0, 40, &[]));
    asset.motions.push(motion(&asset.skeleton, "stretch", 0.008_333_4, 25, &["elbow"]));
    asset.roles.push(("hips".into(), asset.skeleton.root()));
    asset
}

/// A GLB of this document and these numbers, in buffer 0. The document's
/// buffer views and accessors are the caller's.
pub fn glb(mut document: serde_json::Value, numbers: &[f32]) -> Vec<u8> {
    let binary: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    document["asset"] = serde_json::json!({"version": "2.0"});
    if !binary.is_empty() {
        document["buffers"] = serde_json::json!([{"byteLength": binary.len()}]);
    }
    glb_of(document.to_string().as_bytes(), &binary)
}

/// A GLB of these two chunks, whatever they hold.
pub fn glb_of(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let mut json = json.to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut binary = binary.to_vec();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend(((28 + json.len() + binary.len()) as u32).to_le_bytes());
    file.extend((json.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(json);
    file.extend((binary.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(binary);
    file
}

/// Numbers on their way into a file, each run with an accessor of its own.
#[derive(Default)]
pub struct Numbers {
    pub all: Vec<f32>,
    pub accessors: Vec<serde_json::Value>,
}

impl Numbers {
    /// Adds a run and returns the index of its accessor.
    pub fn add(&mut self, shape: &str, width: usize, values: impl IntoIterator<Item = f32>) -> usize {
        let offset = self.all.len() * 4;
        self.all.extend(values);
        let count = (self.all.len() - offset / 4) / width;
        self.accessors.push(serde_json::json!({
            "bufferView": 0, "byteOffset": offset, "componentType": 5126, "count": count, "type": shape
        }));
        self.accessors.len() - 1
    }

    /// The file: puts accessors and the one buffer view into the document.
    pub fn glb(self, mut document: serde_json::Value) -> Vec<u8> {
        document["accessors"] = self.accessors.into();
        document["bufferViews"] = serde_json::json!([{"buffer": 0, "byteLength": self.all.len() * 4}]);
        glb(document, &self.all)
    }
}

/// Reads a file that needs no other files.
pub fn read(bytes: &[u8]) -> Asset {
    sinew_io::gltf::read(bytes, &mut |_| None).unwrap()
}

/// The message of a file that must be refused.
pub fn refused(bytes: &[u8]) -> String {
    sinew_io::gltf::read(bytes, &mut |_| None).unwrap_err().to_string()
}

/// Where a joint is at rest.
pub fn place(asset: &Asset, name: &str) -> Vec3 {
    place_in(asset, &Pose::rest(&asset.skeleton), name)
}

/// Where a joint is in a pose.
pub fn place_in(asset: &Asset, pose: &Pose, name: &str) -> Vec3 {
    let joint = asset.skeleton.find(name).unwrap_or_else(|| panic!("there is no joint '{name}'"));
    sinew_f64::ModelPose::new(&asset.skeleton, pose).position(joint)
}

/// All notes in one text.
pub fn notes(asset: &Asset) -> String {
    asset.notes.iter().map(|note| note.0.as_str()).collect::<Vec<_>>().join("\n")
}
